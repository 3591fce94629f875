import type { Finding } from "../domain/finding.ts";
import type { RunRecord } from "../domain/run-record.ts";
import type { Citations } from "./citations.ts";
import { count } from "./confidence.ts";
import { whyUntested } from "./hypothesis-view.ts";
import type { RecordIndex } from "./record-index.ts";
import type { Section, Statement, SupportCounts } from "./report-model.ts";
import { isUntested, isWithdrawn } from "./standing.ts";

/** Findings told under "what is known"; the others stand under the evidence. */
const KNOWN_MAX = 20;
const KNOWN_ORDER = ["tested", "corroborated", "observed", "inferred"] as const;

/** What code says of a run without a draft: what the record holds, without a conclusion of its own. */
export function describeRecord(run: RunRecord, counts: SupportCounts): { answer: string; would_change: string } {
  const decided = run.hypotheses.filter(({ state }) => !isUntested(state)).length;
  const open = run.questions.filter(({ closed }) => !closed).length;
  const holds = `${count(counts.findings, "finding")} from ${count(counts.independent_sources, "independent document")}`;
  return {
    answer: `No answer was drafted, so this report states what the record holds and draws no conclusion. It holds ${holds}, ${count(run.hypotheses.length, "hypothesis")} (${decided} with a verdict) and ${count(open, "open question")}.`,
    would_change: describeChange(run, open),
  };
}

function describeChange(run: RunRecord, open: number): string {
  const untested = run.hypotheses.filter(({ state }) => isUntested(state)).map(({ id }) => id);
  const verdicts = untested.length === 0 ? [] : [`a verdict on ${untested.join(", ")}`];
  const answers = open === 0 ? [] : [`answers to what is open below (${count(open, "question")})`];
  const wanted = [...verdicts, ...answers].join(", and ");
  return wanted === ""
    ? "Evidence against the findings below, or an answer drafted from them."
    : `It would be settled further by ${wanted}.`;
}

/** What is known, what the run answered on its way, and what is not known; each statement with its status and marks. */
export function writePlainSections(index: RecordIndex, citations: Citations): Section[] {
  const answered = listAnswered(index, citations);
  return [
    { title: "What is known", interpretation: null, claims: listKnown(index, citations) },
    ...(answered.length === 0
      ? []
      : [{ title: "Questions closed on the way, as the supervisor put it", interpretation: null, claims: answered }]),
    { title: "What is not known", interpretation: null, claims: listUnknown(index, citations) },
  ];
}

function listKnown({ run }: RecordIndex, citations: Citations): Statement[] {
  const decided = run.hypotheses
    .filter(({ state }) => !isUntested(state))
    .map(({ id, statement, state }) => stateItem(id, `Hypothesis ${state}: ${statement}`, citations));
  const findings = KNOWN_ORDER.flatMap((status) => run.findings.filter((finding) => finding.status === status && isKnowledge(finding)));
  const told = findings.slice(0, KNOWN_MAX).map(({ id, statement, status }) => stateItem(id, `${statement} (${status})`, citations));
  const rest = findings.length - told.length;
  const more = rest > 0 ? [{ text: `${count(rest, "more finding")} under the evidence below.`, supports: [], citations: [] }] : [];
  return [...decided, ...told, ...more];
}

function listAnswered({ run }: RecordIndex, citations: Citations): Statement[] {
  return run.questions
    .filter(({ closed }) => closed)
    .map(({ text, answer, by }) => ({
      text: `${text} ${answer ?? "Closed without an answer."}`,
      supports: by,
      citations: citations.cite(by),
    }));
}

function isKnowledge({ type }: Finding): boolean {
  return type === "fact" || type === "inference" || type === "experiment_result" || type === "counterargument";
}

function listUnknown(index: RecordIndex, citations: Citations): Statement[] {
  const { run } = index;
  const untested = run.hypotheses
    .filter(({ state }) => isUntested(state))
    .map(({ id, statement }) => stateItem(id, `Untested: ${statement} (${whyUntested(index.experimentsOf(id))})`, citations));
  const doubtful = run.findings
    .filter(
      (finding) => isKnowledge(finding) && (finding.status === "contested" || finding.status === "hypothetical") && !isWithdrawn(finding),
    )
    .map(({ id, statement, status }) => stateItem(id, `${statement} (${status})`, citations));
  const open = run.questions
    .filter(({ closed }) => !closed)
    .map(({ id, text }) => ({ text: `Open: ${text}`, supports: [id], citations: [] }));
  return [...untested, ...doubtful, ...open];
}

function stateItem(id: string, text: string, citations: Citations): Statement {
  return { text, supports: [id], citations: citations.cite([id]) };
}
