import type { ReportDraft, ReportSection } from "../domain/report-draft.ts";
import type { ReportProblem, RunRecord } from "../domain/run-record.ts";
import { checkConfidence } from "./check-confidence.ts";
import { checkOmissions } from "./check-omissions.ts";
import { type Assertion, listAssertions, listClaims } from "./assertions.ts";
import { indexRecord, type RecordIndex } from "./record-index.ts";
import { weaknessOf } from "./standing.ts";

/** What has to be mended before a draft may stand as the run's report; empty where it may. */
export function checkDraft(draft: ReportDraft, run: RunRecord): ReportProblem[] {
  const index = indexRecord(run);
  const assertions = listAssertions(draft);
  return [
    ...assertions.flatMap((assertion) => checkIds(assertion, index)),
    ...assertions.flatMap((assertion) => checkStrength(assertion, index)),
    ...checkConfidence(draft, index),
    ...checkOmissions(draft, index),
  ];
}

function checkIds({ where, supports }: Assertion, index: RecordIndex): ReportProblem[] {
  return supports.flatMap((id, position) => {
    if (index.resolve(id) !== undefined) return [];
    const isQuestion = index.run.questions.some((question) => question.id === id);
    return {
      where: `${where}[${position}]`,
      problem: isQuestion
        ? `${id} is a question, which supports nothing.`
        : `This run has no finding, hypothesis, experiment or cited source ${id}.`,
      mend: isQuestion
        ? "Cite what answered the question."
        : `Cite an id as a tool of this run returned it, or take the statement out.${suggestIds(id, index.run)}`,
    };
  });
}

/** Ids of the same kind, the ones that begin alike first. */
function suggestIds(id: string, run: RunRecord): string {
  const known = [run.findings, run.hypotheses, run.experiments].flatMap((items) => items.map((item) => item.id));
  const kind = id.slice(0, 2);
  const near = known.filter((other) => other.startsWith(kind)).toSorted((a, b) => sharedStart(b, id) - sharedStart(a, id));
  return near.length === 0 ? "" : ` Ids there are: ${near.slice(0, 5).join(", ")}${near.length > 5 ? ", …" : ""}.`;
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charAt(length) === b.charAt(length)) length += 1;
  return length;
}

/** What some sections handed in before the rest have to mend; what they leave out is seen when the draft is whole. */
export function checkSections(sections: ReportSection[], run: RunRecord): ReportProblem[] {
  const index = indexRecord(run);
  const assertions = listClaims(sections);
  return [
    ...assertions.flatMap((assertion) => checkIds(assertion, index)),
    ...assertions.flatMap((assertion) => checkStrength(assertion, index)),
  ];
}

/** A statement of fact needs at least one support that can carry one. */
function checkStrength({ where, supports, isFact }: Assertion, index: RecordIndex): ReportProblem[] {
  const items = supports.map((id) => index.resolve(id));
  const known = items.filter((item) => item !== undefined);
  if (!isFact || known.length === 0 || known.length < items.length) return [];
  const weaknesses = known.map((item) => ({ id: item.id, weakness: weaknessOf(item) }));
  if (weaknesses.some(({ weakness }) => weakness === undefined)) return [];
  return [
    {
      where,
      problem: `Stated as fact, but it rests only on ${weaknesses.map(({ id, weakness }) => `${weakness} (${id})`).join(" and ")}.`,
      mend: "Add support that was observed, corroborated or tested, or say it in `interpretation` or `limitations`; the report lists hypotheses and experiments with their states by itself.",
    },
  ];
}
