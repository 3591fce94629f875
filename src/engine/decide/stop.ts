import type { StopReason } from "../../domain/events.ts";
import { workedUntil, type RunState } from "../state/run-state.ts";

export interface Stop {
  reason: StopReason;
  detail: string;
}

/** What is tried again by resuming, since the run itself has nothing wrong. Such a stop is never recorded as one. */
const RESUMABLE = new Set<StopReason>(["credentials_refused", "model_unavailable"]);

export function isResumable({ reason }: Stop): boolean {
  return RESUMABLE.has(reason);
}

/** The coded stop conditions, in their order. Asked between iterations; progress is what the journal counted. */
export function decideStop(state: RunState, now: number): Stop | undefined {
  const last = state.iterations.at(-1);
  const { limits } = state;
  if (last?.claim === "goal_achieved" && goalGap(state) === undefined) return { reason: "goal_achieved", detail: last.reason };
  if (last?.claim === "method_error") return { reason: "method_error", detail: last.reason };
  if (last?.claim === "external_only") return { reason: "only_external_questions", detail: last.reason };
  if (state.iterationsWithoutProgress >= limits.iterations_without_progress) {
    const detail = `${state.iterationsWithoutProgress} iterations in a row brought nothing new (limit iterations_without_progress)`;
    return { reason: "no_progress", detail };
  }
  if (state.iterations.length >= limits.iterations) {
    return { reason: "iteration_limit", detail: `${state.iterations.length} iterations are done (limit iterations)` };
  }
  if (workedUntil(state.clock, now) >= state.budget.hours * 3_600_000) {
    return { reason: "wall_time", detail: `${state.budget.hours} hours of work are over (budget hours)` };
  }
  return undefined;
}

/** What still lacks before code agrees that the goal is achieved. */
export function goalGap(state: RunState): string | undefined {
  const verified = [...state.findings.values()].some(({ finding }) => finding.evidence.length > 0);
  const judged = [...state.experiments.values()].some((experiment) => experiment.reviews.length > 0);
  if (verified || judged) return undefined;
  return (
    "nothing is verified yet: publish at least one finding whose quotes are found in a stored source, " +
    "or have a registered test run and reviewed"
  );
}
