import type { Review } from "../domain/experiment.ts";
import { anchorOf, citeItem } from "./citations.ts";
import type { Execution, Experiment, RecordIndex } from "./record-index.ts";
import type { ExecutionView, ExperimentView, ReviewView } from "./report-model.ts";
import { isDisagreement } from "./standing.ts";

/** Every experiment with its frozen plan, every execution, and each review beside the outcome that code computed. */
export function viewExperiments({ run }: RecordIndex): ExperimentView[] {
  return run.experiments.map(viewExperiment);
}

function viewExperiment({ id, plan, plan_sha256, author, executions, reviews }: Experiment): ExperimentView {
  const { title, method, success_criterion, refutation_criterion, baseline, split, seeds, image, data, confounders, metrics } = plan;
  return {
    id,
    anchor: anchorOf(id),
    title,
    hypothesis: citeItem(plan.hypothesis),
    author,
    plan_sha256,
    method,
    success_criterion,
    refutation_criterion,
    baseline,
    split,
    seeds,
    image,
    data,
    confounders,
    metrics,
    executions: executions.map((execution) => viewExecution(execution, reviews)),
  };
}

function viewExecution(execution: Execution, reviews: Review[]): ExecutionView {
  return {
    execution: execution.execution,
    status: execution.status,
    outcome: execution.outcome,
    exit_code: execution.exit_code,
    metrics: execution.metrics ?? {},
    reason: execution.reason ?? null,
    reviews: reviews.filter((review) => review.execution === execution.execution).map((review) => viewReview(review, execution)),
  };
}

function viewReview(review: Review, execution: Execution): ReviewView {
  const { reviewer, verdict, summary, limitations } = review;
  return {
    reviewer,
    verdict,
    summary,
    limitations,
    disagreement: isDisagreement(review, execution) ? describeDisagreement(review, execution) : null,
  };
}

function describeDisagreement({ reviewer, verdict, disagreement_reason }: Review, { outcome }: Execution): string {
  return `${reviewer} says ${verdict}, the frozen criteria say ${outcome}; ${disagreement_reason ?? "no reason was given"}`;
}
