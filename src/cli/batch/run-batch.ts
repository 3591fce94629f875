import { ExitCode } from "../../domain/errors.ts";
import type { BackgroundProcess } from "../background/start-background.ts";
import { asHypoError } from "../failures.ts";
import { admit, capOf, type Admitted } from "./admit-item.ts";
import type { BatchItem } from "./batch-line.ts";
import { errorOf, type BatchResult } from "./batch-result.ts";
import { isUnreadable, lookAtRun, mostSpentBy, readEarlierRuns, type KnownRun } from "./earlier-runs.ts";
import { emptyResult, spentBy } from "./read-item.ts";
import { runItem, type ItemContext } from "./run-item.ts";
import { SharedBudget } from "./shared-budget.ts";

export interface BatchPlan extends Omit<ItemContext, "watch"> {
  items: readonly BatchItem[];
  /** The cap of a run for which nobody sets another, in US dollars; null for none. */
  usualCap: number | null;
  onStart: (item: BatchItem) => void;
  onEnd: (result: BatchResult) => void;
}

/** Runs save what they have within 5 seconds of being asked; so does the batch with all of them. */
const LAST_MS = 4000;

/** Has every item run, as many at once as wanted, and none twice. What fails is a result; the rest goes on. */
export async function runBatch(plan: BatchPlan): Promise<void> {
  const { items, options, usualCap, signal } = plan;
  const { ofItems, spentByOthers } = await readEarlierRuns(plan);
  const budget = new SharedBudget(options.maxCost ?? null, spentByOthers);
  for (const item of items) budget.settle(item.id, mostSpentBy(ofItems.get(item), capOf(item, usualCap)));
  const atWork = new Set<Promise<void>>();
  const processes = endWith(signal);
  const admission = { ...plan, requirement: options.requirement, budget, atWork };
  for (const item of items) {
    while (atWork.size >= options.concurrency) await Promise.race(atWork);
    const before = ofItems.get(item);
    const start = await admit(item, before, admission).catch((error: unknown) => ({ result: failedResult(item, before, error) }));
    if ("result" in start) {
      plan.onEnd(start.result);
      continue;
    }
    plan.onStart(item);
    const work = runAndSettle(item, start, budget, { ...plan, watch: processes.watch }).then((result) => {
      atWork.delete(work);
      plan.onEnd(result);
    });
    atWork.add(work);
  }
  await Promise.all(atWork);
  processes.release();
}

/** Has one item run, and counts what it spent. What it fails for is its result. */
async function runAndSettle(item: BatchItem, { before, cap }: Admitted, budget: SharedBudget, context: ItemContext): Promise<BatchResult> {
  try {
    const result = await runItem(item, before, cap, context);
    budget.settle(item.id, result.usd);
    return result;
  } catch (error) {
    const run = context.store.runOf(item);
    const after = run === undefined ? undefined : await lookAtRun(context.project, run);
    budget.settle(item.id, mostSpentBy(after, cap));
    return failedResult(item, after, error);
  }
}

function failedResult(item: BatchItem, run: KnownRun, error: unknown): BatchResult {
  const usd = isUnreadable(run) ? 0 : spentBy(run);
  return { ...emptyResult(item), status: "failed", run: run?.id ?? null, usd, error: errorOf(asHypoError(error)) };
}

/** Asks the processes at work to save and end when the batch is asked to. */
function endWith(signal: AbortSignal): { watch: (process: BackgroundProcess) => void; release: () => void } {
  const processes = new Set<BackgroundProcess>();
  let last: NodeJS.Timeout | undefined;
  const kill = (name: NodeJS.Signals): void => {
    for (const { child } of processes) child.kill(name);
  };
  const end = (): void => {
    kill("SIGTERM");
    last = setTimeout(() => kill("SIGKILL"), LAST_MS);
  };
  signal.addEventListener("abort", end, { once: true });
  return {
    watch: (process) => {
      processes.add(process);
      if (signal.aborted) process.child.kill("SIGTERM");
      void process.ended.then(() => processes.delete(process));
    },
    release: () => {
      signal.removeEventListener("abort", end);
      clearTimeout(last);
    },
  };
}

/** What a person has to act on comes first. */
const BY_URGENCY: readonly [status: BatchResult["status"], exitCode: number][] = [
  ["failed", ExitCode.failed],
  ["waiting", ExitCode.waiting],
];

/** 0 only where every question reached an answer. */
export function exitCodeOf(results: readonly BatchResult[]): number {
  if (results.every(({ reached }) => reached)) return ExitCode.ok;
  if (results.some(({ error }) => error?.code.startsWith("credentials"))) return ExitCode.credentials;
  return BY_URGENCY.find(([status]) => results.some((result) => result.status === status))?.[1] ?? ExitCode.noAnswer;
}
