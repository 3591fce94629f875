import { setTimeout as sleep } from "node:timers/promises";
import type { HypoError } from "../../domain/errors.ts";
import { lockHolder } from "../../engine/journal/lock.ts";
import { asHypoError } from "../failures.ts";
import type { Project } from "../project/project.ts";
import type { RunReading } from "../runs/read-run.ts";
import type { BatchItem } from "./batch-line.ts";
import type { BatchStore } from "./batch-store.ts";
import { readItemRun, spentBy } from "./read-item.ts";

/** A run that an ended batch left may still be saving. */
const LONGEST_SAVING_MS = 10_000;

/** A run of the batch that its files do not tell. */
interface UnreadableRun {
  id: string;
  problem: HypoError;
}

/** What a run has come to, as far as that can be told; undefined where it never began. */
export type KnownRun = RunReading | UnreadableRun | undefined;

/** What the batch did before. */
interface EarlierRuns {
  ofItems: ReadonlyMap<BatchItem, KnownRun>;
  /** US dollars of runs that are no item's any more: their line was removed, or has another id or run by now. */
  spentByOthers: number;
}

interface Batch {
  items: readonly BatchItem[];
  store: BatchStore;
  project: Project;
  usualCap: number | null;
  signal: AbortSignal;
}

/** Looks at every run that the batch has had, once those that are being saved are saved, or the batch is asked to end. */
export async function readEarlierRuns({ items, store, project, usualCap, signal }: Batch): Promise<EarlierRuns> {
  const runs = store.runs();
  await Promise.all(runs.map((run) => awaitSaved(`${project.state}/runs/${run}`, signal)));
  const known = new Map<string, KnownRun>();
  for (const run of runs) known.set(run, await lookAtRun(project, run));
  const ofItems = new Map(items.map((item) => [item, known.get(store.runOf(item) ?? "")]));
  for (const item of items) known.delete(store.runOf(item) ?? "");
  const spentByOthers = [...known.values()].reduce((sum, run) => sum + mostSpentBy(run, usualCap), 0);
  return { ofItems, spentByOthers };
}

/** What a run has come to; never throws, since one that cannot be read is no harm to the others. */
export async function lookAtRun(project: Project, run: string): Promise<KnownRun> {
  return readItemRun(project, run).catch((error: unknown) => ({ id: run, problem: asHypoError(error) }));
}

export function isUnreadable(run: KnownRun): run is UnreadableRun {
  return run !== undefined && "problem" in run;
}

/**
 * What a run has spent; where that cannot be read, all it may have spent.
 *
 * @param cap that the run had; null for none
 */
export function mostSpentBy(run: KnownRun, cap: number | null): number {
  return isUnreadable(run) ? (cap ?? Number.POSITIVE_INFINITY) : spentBy(run);
}

async function awaitSaved(folder: string, signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < LONGEST_SAVING_MS && !signal.aborted; waited += 100) {
    const holder = await lockHolder(folder).catch(() => undefined);
    if (!holder) return;
    await sleep(100, undefined, { signal }).catch(() => undefined);
  }
}
