import { standingExecution } from "../domain/standing-execution.ts";
import type { Finding } from "../domain/finding.ts";
import { anchorOf, type Citations, citeItem, uniqueCitations } from "./citations.ts";
import type { Experiment, Hypothesis, RecordIndex } from "./record-index.ts";
import type { Citation, HypothesisView } from "./report-model.ts";
import { isUntested, isWithdrawn, lastReview } from "./standing.ts";

/** The hypotheses with their states, what speaks for and against each, and why some have no verdict. */
export function viewHypotheses(index: RecordIndex, citations: Citations): HypothesisView[] {
  return index.run.hypotheses.map((hypothesis) => viewHypothesis(hypothesis, index, citations));
}

function viewHypothesis(hypothesis: Hypothesis, index: RecordIndex, citations: Citations): HypothesisView {
  const { id, statement, state } = hypothesis;
  const experiments = index.experimentsOf(id);
  const untested = isUntested(state);
  const item = index.resolve(id);
  const own = item?.kind === "hypothesis" ? item.finding : undefined;
  return {
    id,
    anchor: anchorOf(id),
    statement,
    state,
    untested,
    why_untested: untested ? whyUntested(experiments) : null,
    experiments: experiments.map((experiment) => citeItem(experiment.id)),
    for: uniqueCitations([
      ...citations.citeQuotes(own?.evidence ?? []),
      ...citeRelated(id, ["supports", "replicates"], index, citations),
      ...citeVerdicts(experiments, ["supported", "partially_supported"]),
    ]),
    against: uniqueCitations([
      ...citations.citeQuotes(own?.counterevidence ?? []),
      ...citeRelated(id, ["contradicts"], index, citations),
      ...citeVerdicts(experiments, ["contradicted"]),
    ]),
  };
}

/** Why a hypothesis has no verdict, from the last that was tried. */
export function whyUntested(experiments: Experiment[]): string {
  const experiment = experiments.at(-1);
  if (experiment === undefined) return "no test was registered for it";
  const execution = standingExecution(experiment.executions);
  if (execution === undefined) return `its test ${experiment.id} was registered but never executed`;
  if (execution.status !== "completed") {
    return `its test ${experiment.id} did not complete: ${execution.status}${execution.reason === undefined ? "" : ` (${execution.reason})`}`;
  }
  return lastReview(experiment) === undefined
    ? `its test ${experiment.id} ran, but no other agent reviewed it`
    : `the reviews of its test ${experiment.id} did not move it to a verdict`;
}

function citeRelated(id: string, kinds: string[], index: RecordIndex, citations: Citations): Citation[] {
  const isMeant = (finding: Finding): boolean =>
    !isWithdrawn(finding) && finding.related.some(({ kind, to }) => to === id && kinds.includes(kind));
  return citations.cite(
    index
      .relating(id)
      .filter(isMeant)
      .map((finding) => finding.id),
  );
}

function citeVerdicts(experiments: Experiment[], verdicts: string[]): Citation[] {
  return experiments.filter(({ reviews }) => reviews.some(({ verdict }) => verdicts.includes(verdict))).map(({ id }) => citeItem(id));
}
