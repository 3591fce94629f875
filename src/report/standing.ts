import type { Review } from "../domain/experiment.ts";
import type { Finding, HypothesisState } from "../domain/finding.ts";
import type { Execution, Experiment, Item } from "./record-index.ts";

/** Why an item cannot carry a statement of fact by itself; undefined where it can. */
export function weaknessOf(item: Item): string | undefined {
  if (item.kind === "finding") return weaknessOfFinding(item.finding);
  if (item.kind === "hypothesis") return weaknessOfHypothesis(item.hypothesis.state);
  return item.kind === "experiment" ? weaknessOfExperiment(item.experiment) : undefined;
}

function weaknessOfFinding({ type, status }: Finding): string | undefined {
  if (status === "hypothetical" || status === "rejected" || status === "outdated") return `a finding that is ${status}`;
  if (type === "open_question") return "an open question";
  return type === "hypothesis" && status !== "tested" ? "a hypothesis without a verdict" : undefined;
}

function weaknessOfHypothesis(state: HypothesisState): string | undefined {
  if (state === "supported" || state === "partially_supported") return undefined;
  return isUntested(state) ? `a hypothesis that is untested (${state})` : `a hypothesis that is ${state}`;
}

function weaknessOfExperiment(experiment: Experiment): string | undefined {
  if (!experiment.executions.some(({ status }) => status === "completed")) {
    const last = experiment.executions.at(-1);
    return last === undefined ? "an experiment that was never executed" : `an experiment that never completed (${last.status})`;
  }
  return lastReview(experiment)?.verdict === "invalid_experiment" ? "an experiment whose review found it invalid" : undefined;
}

export function isUntested(state: HypothesisState): boolean {
  return state === "proposed" || state === "testable" || state === "testing";
}

/** True for findings that no longer count: nothing needs to answer them, and they support nothing. */
export function isWithdrawn({ status }: Finding): boolean {
  return status === "rejected" || status === "outdated";
}

export function lastReview(experiment: Experiment): Review | undefined {
  return experiment.reviews.at(-1);
}

/** True for verdicts that settle something; inconclusive, invalid and external ones do not. */
export function isDecisive(review: Review): boolean {
  return review.verdict === "supported" || review.verdict === "partially_supported" || review.verdict === "contradicted";
}

/** True where the reviewer says otherwise than the criteria, by the reviewer's own mark or by comparing the two. */
export function isDisagreement(review: Review, execution: Execution | undefined): boolean {
  const outcome = execution?.outcome ?? review.outcome;
  if (review.disagrees || outcome !== review.outcome) return true;
  if (review.verdict === "supported") return outcome !== "met";
  return review.verdict === "contradicted" && outcome !== "refuted";
}
