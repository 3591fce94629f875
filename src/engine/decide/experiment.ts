import type { RunEvent } from "../../domain/events.ts";
import { isDeciding, type ComputedOutcome, type Review } from "../../domain/experiment.ts";
import type { Verdict } from "../../domain/finding.ts";
import { sharesLineage, type AgentId } from "../../domain/ids.ts";
import type { Ledger } from "../state/ledger.ts";
import type { ExecutionRecord, ExperimentRecord, RunState } from "../state/run-state.ts";

/** The number of the next execution: counted over all branches, so that no fork makes a second first. */
export function nextExecution(ledger: Ledger, experiment: string): number {
  return (ledger.executions.get(experiment) ?? 0) + 1;
}

/** The execution that decides on this branch: the first that completed or failed on its own account. */
function decidingExecution(experiment: ExperimentRecord): ExecutionRecord | undefined {
  return experiment.executions.find((each) => each.finished !== undefined && isDeciding(each.finished.status));
}

/** Whether the next execution would be the one that decides: over all branches, none has yet. */
export function isConfirmatory(ledger: Ledger, experiment: string): boolean {
  return !ledger.decided.has(experiment);
}

export interface ReviewDraft {
  reviewer: AgentId;
  verdict: Verdict;
  summary: string;
  limitations: string[];
  disagreementReason: string | undefined;
}

/** The verdicts that agree with what the frozen criteria say. */
const AGREEING: Record<ComputedOutcome, Verdict[]> = {
  met: ["supported", "partially_supported"],
  refuted: ["contradicted"],
  neither: ["inconclusive", "partially_supported"],
  both: ["invalid_experiment", "inconclusive"],
  not_evaluable: ["invalid_experiment", "inconclusive", "requires_external_validation"],
};

/** Checks a review and gives the facts it makes, or why it is refused. */
export function decideReview(
  state: RunState,
  experiment: ExperimentRecord,
  draft: ReviewDraft,
  at: string,
): { review: Review; events: (call: string) => RunEvent[] } | { refused: string } {
  if (sharesLineage(experiment.author, draft.reviewer)) {
    return {
      refused: `${experiment.id} was registered by ${experiment.author}, of your own lineage. A reviewer must be neither its author nor above or below the author: ask your parent for an independent reviewer.`,
    };
  }
  const execution = decidingExecution(experiment);
  if (!execution?.finished) {
    return { refused: `${experiment.id} has not run, so there is nothing to review. Its hypothesis stays untested.` };
  }
  const { outcome } = execution.finished;
  const disagrees = !AGREEING[outcome].includes(draft.verdict);
  if (disagrees && !draft.disagreementReason) {
    return {
      refused: `The frozen criteria come to "${outcome}", which goes with ${AGREEING[outcome].join(" or ")}. To say "${draft.verdict}" all the same, give disagreement_reason; the disagreement will be shown.`,
    };
  }
  const review: Review = {
    experiment: experiment.id,
    execution: execution.execution,
    reviewer: draft.reviewer,
    verdict: draft.verdict,
    outcome,
    disagrees,
    ...(disagrees ? { disagreement_reason: draft.disagreementReason } : {}),
    summary: draft.summary,
    limitations: draft.limitations,
    at,
  };
  const { hypothesis } = experiment.plan;
  const from = state.hypotheses.get(hypothesis)?.state ?? null;
  const events = (call: string): RunEvent[] => [
    // The review comes last: where a crash lets only a part reach the disk, the call is made again as a whole.
    { type: "hypothesis_moved", data: { agent: draft.reviewer, hypothesis, from, to: draft.verdict, because: experiment.id } },
    { type: "review_recorded", data: { agent: draft.reviewer, call, review } },
  ];
  return { review, events };
}
