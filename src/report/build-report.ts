import type { ReferenceCheck } from "../domain/reference-check.ts";
import type { ReportDraft } from "../domain/report-draft.ts";
import type { RunRecord } from "../domain/run-record.ts";
import { supportsOf } from "./assertions.ts";
import { buildCitations, type Citations } from "./citations.ts";
import { countSupport, describeCounts } from "./confidence.ts";
import { viewEvidence, viewNegativeResults, viewOpenQuestions } from "./evidence-view.ts";
import { viewExperiments } from "./experiment-view.ts";
import { viewHypotheses } from "./hypothesis-view.ts";
import { viewMethod } from "./method-view.ts";
import { describeRecord, writePlainSections } from "./plain-report.ts";
import { indexRecord, type RecordIndex } from "./record-index.ts";
import { isWithdrawn } from "./standing.ts";
import type { Opening, Report, Section, Statement } from "./report-model.ts";

const NO_REASON = "no draft was handed in";

/** The report as data, from a checked draft, or from the record alone where there is none. */
export function buildReport(
  run: RunRecord,
  draft: ReportDraft | undefined,
  whyCode: string | undefined,
  checks: ReadonlyMap<string, ReferenceCheck> = new Map(),
): Report {
  const index = indexRecord(run);
  const citations = buildCitations(index, draft === undefined ? [] : supportsOf(draft), checks);
  return {
    v: 1,
    run: run.run,
    branch: run.branch,
    question: run.question,
    rehearsal: run.rehearsal,
    written_by: draft === undefined ? "code" : "supervisor",
    why_code: draft === undefined ? (whyCode ?? NO_REASON) : null,
    opening: draft === undefined ? openPlainly(index) : openDraft(draft, index, citations),
    sections: draft === undefined ? writePlainSections(index, citations) : draft.sections.map((section) => viewSection(section, citations)),
    evidence: viewEvidence(index, citations),
    hypotheses: viewHypotheses(index, citations),
    experiments: viewExperiments(index),
    negative_results: viewNegativeResults(index, citations),
    open_questions: viewOpenQuestions(index, citations),
    limits: listLimits(run, draft),
    method: viewMethod(run),
    references: citations.references,
  };
}

function openDraft(draft: ReportDraft, index: RecordIndex, citations: Citations): Opening {
  const counts = countSupport(draft.answer_supports, index);
  return {
    answer: viewStatement({ text: draft.answer, supports: draft.answer_supports }, citations),
    confidence: draft.confidence,
    counts,
    reasons: describeCounts(counts),
    would_change: draft.would_change,
  };
}

function openPlainly(index: RecordIndex): Opening {
  const counts = countSupport([], index);
  const { answer, would_change } = describeRecord(index.run, counts);
  return {
    answer: { text: answer, supports: [], citations: [] },
    confidence: "none",
    counts,
    reasons: describeCounts(counts),
    would_change,
  };
}

function viewSection({ title, interpretation, claims }: ReportDraft["sections"][number], citations: Citations): Section {
  return { title, interpretation: interpretation ?? null, claims: claims.map((claim) => viewStatement(claim, citations)) };
}

function viewStatement({ text, supports }: { text: string; supports: string[] }, citations: Citations): Statement {
  return { text, supports, citations: citations.cite(supports) };
}

/** Limits the supervisor names, then those of findings and reviews, each once. */
function listLimits(run: RunRecord, draft: ReportDraft | undefined): Report["limits"] {
  const all = [
    ...(draft?.limitations ?? []).map((text) => ({ text, from: "supervisor" })),
    ...run.findings
      .filter((finding) => !isWithdrawn(finding))
      .flatMap(({ id, limitations }) => limitations.map((text) => ({ text, from: id }))),
    ...run.experiments.flatMap(({ id, reviews }) => reviews.flatMap(({ limitations }) => limitations.map((text) => ({ text, from: id })))),
  ];
  return Array.from(Map.groupBy(all, ({ text }) => text.trim()).values(), ([first]) => first).filter((limit) => limit !== undefined);
}
