import type { StopReason } from "../../domain/events.ts";
import type { Budget, Limits } from "../../domain/limits.ts";
import type { RunState } from "../state/run-state.ts";

/** Limits raised for a resumed run; what is left out stays. */
export interface Raise {
  limits: Partial<Limits>;
  budget: Partial<Budget>;
}

/** A limit that can end a run, or keep it from its report. */
type EndingLimit = "budget_exhausted" | "wall_time" | "iteration_limit";

/** What a run that is over goes on with: its research, or only the report that a limit kept it from. */
export type Reopening = "research" | "report";

const OPTIONS: Readonly<Record<EndingLimit, string>> = {
  budget_exhausted: "`--max-cost` or `--max-tokens`",
  wall_time: "`--max-time`",
  iteration_limit: "`--max-iterations`",
};

/** What a run that is over goes on with under raised limits; undefined where they are none that it ended by. */
export function decideReopening(state: RunState, raise: Raise): Reopening | undefined {
  const { research, report } = limitsOf(state);
  if (research && isRaised(research, state, raise)) return "research";
  return report && isRaised(report, state, raise) ? "report" : undefined;
}

/** Options that let a run go on which is over; empty where none does. */
export function optionsToReopen(state: RunState): string[] {
  const { research, report } = limitsOf(state);
  return [...new Set([research, report])].filter((limit) => limit !== undefined).map((limit) => OPTIONS[limit]);
}

/** True for a run that is over and with more money would go on. */
export function lacksMoney(state: RunState): boolean {
  const { research, report } = limitsOf(state);
  return research === "budget_exhausted" || report === "budget_exhausted";
}

function limitsOf({ finish, report }: RunState): { research?: EndingLimit | undefined; report?: EndingLimit | undefined } {
  if (!finish) return {};
  return { research: isEndingLimit(finish.reason) ? finish.reason : undefined, report: report?.limit };
}

function isEndingLimit(reason: StopReason): reason is EndingLimit {
  return reason in OPTIONS;
}

function isRaised(limit: EndingLimit, { budget, limits }: RunState, { budget: raised, limits: { iterations } }: Raise): boolean {
  switch (limit) {
    case "budget_exhausted":
      return isMoreMoney(raised.usd, budget.usd) || isMore(raised.tokens, budget.tokens);
    case "wall_time":
      return isMore(raised.hours, budget.hours);
    case "iteration_limit":
      return isMore(iterations, limits.iterations);
  }
}

function isMore(to: number | undefined, from: number): boolean {
  return to !== undefined && to > from;
}

/** Null is no cap at all. */
function isMoreMoney(to: number | null | undefined, from: number | null): boolean {
  return to === null ? from !== null : from !== null && isMore(to, from);
}
