import type { Evidence, Finding } from "../domain/finding.ts";
import { anchorOf, type Citations } from "./citations.ts";
import type { RecordIndex } from "./record-index.ts";
import type { FindingView, Objection, Report, Statement } from "./report-model.ts";
import { isWithdrawn } from "./standing.ts";

/** Every finding of the run under what it does: speaks for, speaks against, is not established, or was withdrawn. */
export function viewEvidence({ run }: RecordIndex, citations: Citations): Report["evidence"] {
  const current = run.findings.filter((finding) => !isWithdrawn(finding) && finding.type !== "open_question");
  const hypotheses = new Set(run.hypotheses.map(({ id }) => id));
  const view = (finding: Finding): FindingView => viewFinding(finding, citations);
  return {
    for: current.filter((finding) => isEstablished(finding) && !isObjection(finding)).map(view),
    against: [
      ...current.filter((finding) => isEstablished(finding) && isObjection(finding)).map((finding) => viewObjection(finding, citations)),
      ...current.filter(({ counterevidence }) => counterevidence.length > 0).map((finding) => viewCounterevidence(finding, citations)),
    ],
    not_established: current.filter((finding) => !isEstablished(finding) && !hypotheses.has(finding.id)).map(view),
    withdrawn: run.findings.filter(isWithdrawn).map(view),
  };
}

/** Hypotheses that a test contradicted, and findings that say what was looked for and not found. */
export function viewNegativeResults({ run }: RecordIndex, citations: Citations): Statement[] {
  const contradicted = run.hypotheses.filter(({ state }) => state === "contradicted");
  const negative = run.findings.filter((finding) => finding.negative_result && !isWithdrawn(finding));
  return [
    ...contradicted.map(({ id, statement }) => ({
      text: `Contradicted by its test: ${statement}`,
      supports: [id],
      citations: citations.cite([id]),
    })),
    ...negative.map(({ id, statement }) => ({ text: statement, supports: [id], citations: citations.cite([id]) })),
  ];
}

/** Questions nobody closed, those of the run first, then those published as findings. */
export function viewOpenQuestions({ run }: RecordIndex, citations: Citations): Statement[] {
  const asked = run.questions.filter(({ closed }) => !closed).map(({ id, text }) => ({ text, supports: [id], citations: [] }));
  const known = new Set(run.questions.map(({ id }) => id));
  const published = run.findings.filter((finding) => finding.type === "open_question" && !isWithdrawn(finding) && !known.has(finding.id));
  return [
    ...asked,
    ...published.map(({ id, statement, evidence }) => ({ text: statement, supports: [id], citations: citations.citeQuotes(evidence) })),
  ];
}

/** True for findings that may be read as evidence. */
function isEstablished({ type, status }: Finding): boolean {
  return status !== "hypothetical" && type !== "hypothesis";
}

function isObjection({ type, related }: Finding): boolean {
  return type === "counterargument" || related.some(({ kind }) => kind === "contradicts");
}

function viewFinding(finding: Finding, citations: Citations): FindingView {
  const { id, title, type, status, agent, statement, limitations } = finding;
  return {
    id,
    anchor: anchorOf(id),
    title,
    type,
    status,
    agent,
    text: statement,
    limitations,
    supports: [id],
    citations: citations.cite([id]),
  };
}

function viewObjection(finding: Finding, citations: Citations): Objection {
  const against = finding.related.filter(({ kind }) => kind === "contradicts").map(({ to }) => to);
  return {
    id: finding.id,
    anchor: anchorOf(finding.id),
    text: finding.statement,
    against,
    supports: [finding.id],
    citations: citations.cite([finding.id]),
  };
}

function viewCounterevidence(finding: Finding, citations: Citations): Objection {
  return {
    id: finding.id,
    anchor: `against-${anchorOf(finding.id)}`,
    text: quoteAll(finding.counterevidence),
    against: [finding.id],
    supports: [finding.id],
    citations: citations.citeQuotes(finding.counterevidence),
  };
}

function quoteAll(evidence: Evidence[]): string {
  return evidence.map(({ quote }) => `\u201c${quote}\u201d`).join("; ");
}
