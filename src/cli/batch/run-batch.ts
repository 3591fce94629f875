import { setTimeout as sleep } from "node:timers/promises";
import { ExitCode, HypoError } from "../../domain/errors.ts";
import { lacksMoney } from "../../engine/decide/reopen.ts";
import { lockHolder } from "../../engine/journal/lock.ts";
import type { BackgroundProcess } from "../background/start-background.ts";
import type { RunReading } from "../runs/read-run.ts";
import type { BatchItem } from "./batch-line.ts";
import { errorOf, type BatchResult } from "./batch-result.ts";
import { emptyResult, readItemRun, resultOf, spentBy } from "./read-item.ts";
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
/** A run that an ended batch left may still be saving. */
const LONGEST_SAVING_MS = 10_000;

/** Has every item run, as many at once as wanted, and none twice. What fails is a result; the rest goes on. */
export async function runBatch(plan: BatchPlan): Promise<void> {
  const { items, options, signal } = plan;
  const budget = new SharedBudget(options.maxCost ?? null);
  const readings = await readRuns(plan);
  for (const [item, reading] of readings) if (!(reading instanceof HypoError)) budget.settle(item.id, spentBy(reading));
  const atWork = new Set<Promise<void>>();
  const processes = endWith(signal);
  for (const item of items) {
    while (atWork.size >= options.concurrency) await Promise.race(atWork);
    const start = await admit(item, readings.get(item), { plan, budget, atWork });
    if ("result" in start) {
      plan.onEnd(start.result);
      continue;
    }
    plan.onStart(item);
    const work = runItem(item, start.before, start.cap, { ...plan, watch: processes.watch })
      .catch((error: unknown) => failedResult(item, error))
      .then((result) => {
        budget.settle(item.id, result.usd);
        atWork.delete(work);
        plan.onEnd(result);
      });
    atWork.add(work);
  }
  await Promise.all(atWork);
  processes.release();
}

type Reading = RunReading | undefined | HypoError;

/** What the items' runs have come to so far; an error where a run cannot be read. */
async function readRuns({ items, store, project }: BatchPlan): Promise<Map<BatchItem, Reading>> {
  const readings = new Map<BatchItem, Reading>();
  for (const item of items) {
    const run = store.runOf(item);
    if (run === undefined) continue;
    await awaitSaved(`${project.state}/runs/${run}`);
    readings.set(item, await readItemRun(project, run).catch(asTyped));
  }
  return readings;
}

async function awaitSaved(folder: string): Promise<void> {
  for (let waited = 0; waited < LONGEST_SAVING_MS; waited += 100) {
    const holder = await lockHolder(folder).catch(() => undefined);
    if (!holder) return;
    await sleep(100);
  }
}

type Start = { result: BatchResult } | { before: RunReading | undefined; cap: number | null };

interface Admission {
  plan: BatchPlan;
  budget: SharedBudget;
  atWork: ReadonlySet<Promise<void>>;
}

/** Whether an item is to be run now and with what cap, or the result it has without that. */
async function admit(item: BatchItem, before: Reading, { plan, budget, atWork }: Admission): Promise<Start> {
  const { project, options, signal } = plan;
  if (before instanceof HypoError) return { result: failedResult(item, before) };
  const known = before && (await resultOf(item, before, project, options.requirement));
  const wanted = item.sets.max_cost ?? plan.usualCap;
  if (known && before.state.finish && !isCapped(before, wanted)) return { result: known };
  for (;;) {
    if (signal.aborted) return { result: { ...(known ?? emptyResult(item)), status: "interrupted" } };
    const cap = budget.reserve(item.id, wanted, spentBy(before));
    if (cap === "later") {
      await Promise.race(atWork);
      continue;
    }
    const { usd } = before?.state.budget ?? { usd: null };
    const brings = cap !== "exhausted" && (!before?.state.finish || cap === null || cap > (usd ?? 0));
    if (brings) return { before, cap };
    budget.settle(item.id, spentBy(before));
    return { result: known ?? { ...emptyResult(item), status: "skipped", detail: "the money of the batch is used up (--max-cost)" } };
  }
}

/** True for a run that ended, or has no report, because the batch had less money for it than it wanted. */
function isCapped({ state }: RunReading, wanted: number | null): boolean {
  const { usd } = state.budget;
  return lacksMoney(state) && usd !== null && (wanted === null || usd < wanted);
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

function failedResult(item: BatchItem, error: unknown): BatchResult {
  return { ...emptyResult(item), status: "failed", error: errorOf(asTyped(error)) };
}

function asTyped(error: unknown): HypoError {
  if (error instanceof HypoError) return error;
  throw error;
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
