import type { RunEvent } from "../../domain/events.ts";
import type { ComputedOutcome, Review } from "../../domain/experiment.ts";
import { isDeciding } from "../../domain/standing-execution.ts";
import type { Verdict } from "../../domain/finding.ts";
import { sharesLineage, type AgentId } from "../../domain/ids.ts";
import { executionsOf, type Ledger, type LedgerExecution } from "../state/ledger.ts";
import type { ExecutionRecord, ExperimentRecord, RunState } from "../state/run-state.ts";

/** The number of the next execution: counted over all branches, so that no fork makes a second first. */
export function nextExecution(ledger: Ledger, experiment: string): number {
  return (ledger.executions.get(experiment) ?? 0) + 1;
}

/**
 * The execution that decides a test: the first, on whatever branch of the run, of which it was recorded that it completed
 * or failed on its own account. An execution made while there is one is a repeat, and what ends later changes nothing.
 */
export function firstDeciding(ledger: Ledger, experiment: string): Decided | undefined {
  return executionsOf(ledger, experiment)
    .filter((each): each is Decided => each.end !== undefined && isDeciding(each.end.status))
    .toSorted((a, b) => a.end.seq - b.end.seq)[0];
}

/**
 * Executions of a test that began, and of which no branch has recorded an end: a crash or a rewind came before it. They
 * may have decided all the same, so that they have to be looked up before the next one begins.
 */
export function unsettledExecutions(ledger: Ledger, experiment: string): LedgerExecution[] {
  return executionsOf(ledger, experiment).filter(({ end }) => end === undefined);
}

type Decided = LedgerExecution & { end: NonNullable<LedgerExecution["end"]> };

/** Whether the next execution would be the one that decides: on no branch has one of this test yet. */
export function isConfirmatory(ledger: Ledger, experiment: string): boolean {
  return firstDeciding(ledger, experiment) === undefined;
}

/** The first execution of a branch's own record that decided. */
function ownDeciding(experiment: ExperimentRecord): ExecutionRecord | undefined {
  return experiment.executions.find((each) => each.finished !== undefined && isDeciding(each.finished.status));
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
  ledger: Ledger,
  experiment: ExperimentRecord,
  draft: ReviewDraft,
  at: string,
): { review: Review; events: (call: string) => RunEvent[] } | { refused: string } {
  if (sharesLineage(experiment.author, draft.reviewer)) {
    return {
      refused:
        `${experiment.id} was registered by ${experiment.author}, of your own lineage. ` +
        "A reviewer must be neither its author nor above or below the author: ask your parent for an independent reviewer.",
    };
  }
  const execution = ownDeciding(experiment);
  if (!execution?.finished) {
    return { refused: `${experiment.id} has not run, so there is nothing to review. Its hypothesis stays untested.` };
  }
  const { outcome } = execution.finished;
  const first = earlierThan(execution, experiment, ledger);
  const judged = [{ ...execution, experiment: experiment.id }, ...(first ? [first] : [])];
  const own = judged.find(({ agent }) => sharesLineage(agent, draft.reviewer));
  if (own) {
    return {
      refused:
        `Execution ${own.execution} of ${own.experiment} was made by ${own.agent}, of your own lineage. ` +
        "A reviewer must be neither the one who ran the code nor above or below that agent: ask your parent for an independent reviewer.",
    };
  }
  const decisive = first?.end.outcome ?? outcome;
  const disagrees = !AGREEING[decisive].includes(draft.verdict);
  if (disagrees && !draft.disagreementReason) {
    const repeat = first ? `This is a repeat: execution ${first.execution} of ${first.experiment} decided before it. ` : "";
    return {
      refused:
        `${repeat}The frozen criteria come to "${decisive}", which goes with ${AGREEING[decisive].join(" or ")}. ` +
        `To say "${draft.verdict}" all the same, give disagreement_reason; the disagreement will be shown.`,
    };
  }
  const review: Review = {
    experiment: experiment.id,
    execution: execution.execution,
    ...(first ? { repeat_of: { experiment: first.experiment, execution: first.execution, outcome: first.end.outcome } } : {}),
    reviewer: draft.reviewer,
    verdict: draft.verdict,
    outcome,
    disagrees,
    ...(disagrees ? { disagreement_reason: draft.disagreementReason } : {}),
    summary: draft.summary,
    limitations: first ? [...draft.limitations, describeRepeat(execution, first)] : draft.limitations,
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

/** What decided the test before this execution did, on another branch or on what a rewind left behind. */
function earlierThan({ execution }: ExecutionRecord, { id }: ExperimentRecord, ledger: Ledger): Decided | undefined {
  const first = firstDeciding(ledger, id);
  return first?.experiment === id && first.execution === execution ? undefined : first;
}

function describeRepeat({ execution }: ExecutionRecord, first: Decided): string {
  const decided = `execution ${first.execution} of ${first.experiment} decided first, with the outcome ${first.end.outcome}`;
  return `Execution ${execution} is a repeat: ${decided}.`;
}
