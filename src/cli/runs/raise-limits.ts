import type { Budget, Limits } from "../../domain/limits.ts";
import { HypoError } from "../../domain/errors.ts";
import type { Raise } from "../../engine/decide/reopen.ts";
import type { CapOptions } from "../commands/options.ts";

/** What the caps of a command line change of a run's limits. */
export function raiseOf({ maxCost, maxTokens, maxMinutes, maxAgents, maxDepth, maxIterations }: CapOptions): Raise {
  const budget: Partial<Budget> = {};
  if (maxCost !== undefined) budget.usd = maxCost;
  if (maxTokens !== undefined) budget.tokens = maxTokens;
  if (maxMinutes !== undefined) budget.hours = maxMinutes / 60;
  const limits: Partial<Limits> = {};
  if (maxAgents !== undefined) limits.agents = maxAgents;
  if (maxDepth !== undefined) limits.depth = maxDepth;
  if (maxIterations !== undefined) limits.iterations = maxIterations;
  return { budget, limits };
}

/**
 * To be asked before a run at work is only looked at.
 *
 * @throws HypoError `refused` where limits are to be raised
 */
export function refuseToRaise(caps: CapOptions): void {
  const { limits, budget } = raiseOf(caps);
  if (Object.keys(limits).length + Object.keys(budget).length === 0) return;
  throw new HypoError("refused", "The run is at work, and its limits are raised when it is set to work again.", {
    hint: "Stop it first with `hypo stop`. Nothing that was recorded is lost.",
  });
}
