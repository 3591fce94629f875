import { lacksMoney } from "../../engine/decide/reopen.ts";
import type { Project } from "../project/project.ts";
import type { RunReading } from "../runs/read-run.ts";
import type { BatchItem } from "./batch-line.ts";
import type { BatchResult, Requirement } from "./batch-result.ts";
import { isUnreadable, type KnownRun } from "./earlier-runs.ts";
import { emptyResult, resultOf, spentBy } from "./read-item.ts";
import type { SharedBudget } from "./shared-budget.ts";

/** An item that is to be run: its run so far, and the cap it may have. */
export interface Admitted {
  before: RunReading | undefined;
  cap: number | null;
}

interface Admission {
  project: Project;
  requirement: Requirement;
  usualCap: number | null;
  budget: SharedBudget;
  atWork: ReadonlySet<Promise<void>>;
  signal: AbortSignal;
}

const NO_MONEY = "the money of the batch is used up (--max-cost)";

/**
 * Whether an item is to be run now and with what cap, or the result it has without that.
 *
 * @throws HypoError `run_damaged` and others, for a run or a report that cannot be read
 */
export async function admit(item: BatchItem, before: KnownRun, admission: Admission): Promise<{ result: BatchResult } | Admitted> {
  const { project, requirement, usualCap, budget, atWork, signal } = admission;
  if (isUnreadable(before)) throw before.problem;
  const known = before && (await resultOf(item, before, project, requirement));
  const wanted = capOf(item, usualCap);
  if (known && before.state.finish && !isCapped(before, wanted)) return { result: known };
  for (;;) {
    if (signal.aborted) return { result: known ?? { ...emptyResult(item), status: "interrupted" } };
    const cap = budget.reserve(item.id, wanted, spentBy(before));
    if (cap === "later") {
      await Promise.race(atWork);
      continue;
    }
    const { usd } = before?.state.budget ?? { usd: null };
    const brings = cap !== "exhausted" && (!before?.state.finish || cap === null || cap > (usd ?? 0));
    if (brings) return { before, cap };
    budget.settle(item.id, spentBy(before));
    // What has ended, or waits for a person, is that whatever money there is.
    if (known && known.status !== "interrupted") return { result: known };
    return { result: { ...(known ?? emptyResult(item)), status: "skipped", detail: NO_MONEY } };
  }
}

/** The cap that an item's run would have by itself; null for none. */
export function capOf({ sets }: BatchItem, usualCap: number | null): number | null {
  return sets.max_cost ?? usualCap;
}

/** True for a run that ended, or has no report, because the batch had less money for it than it wanted. */
function isCapped({ state }: RunReading, wanted: number | null): boolean {
  const { usd } = state.budget;
  return lacksMoney(state) && usd !== null && (wanted === null || usd < wanted);
}
