import { HypoError, messageOf } from "../../domain/errors.ts";
import { MAIN_BRANCH } from "../../domain/ids.ts";
import { isOver, type RunState, type RunStatus } from "../../engine/state/run-state.ts";
import type { Ledger } from "../../engine/state/ledger.ts";
import type { JournalView, Stores } from "../stores.ts";
import type { RunPlace } from "./find-run.ts";
import { readRunMeta, readRunProcess, type RunMeta, type RunProcess } from "./run-files.ts";

/** What people see of a run's state: the journal's, or why the journal does not tell. */
type ShownState = RunStatus | "starting" | "interrupted" | "damaged" | "by hand";

/** One branch of a run as its files tell it. */
export interface RunReading extends RunPlace {
  meta: RunMeta;
  process: RunProcess | undefined;
  /** True while a process is at work on the branch. */
  isLive: boolean;
  branch: string;
  /** All branches with their heads. */
  heads: ReadonlyMap<string, number>;
  state: RunState;
  /** Of all branches together. */
  ledger: Ledger;
  shown: ShownState;
}

/** @throws HypoError `run_damaged`; `not_found` for an unknown branch */
export async function readRun(place: RunPlace, stores: Stores, branch = MAIN_BRANCH): Promise<RunReading> {
  const meta = await readRunMeta(place.folder);
  const process = await readRunProcess(place.folder);
  const journal = await stores.readRun(place.folder, place.id);
  const state = await journal.state(branch);
  await journal.keepSnapshot();
  const isLive = isBranchLive(process, branch, stores);
  return {
    ...place,
    meta,
    process,
    isLive,
    branch,
    heads: journal.heads,
    state,
    ledger: journal.ledger,
    shown: meta.origin === "manual" ? "by hand" : shownState(state, isLive),
  };
}

/** A run that cannot be read, with its metadata if at least that can. */
export interface DamagedRun extends RunPlace {
  meta: RunMeta | undefined;
  problem: string;
}

/** The same, with the problem in place of a run that cannot be read. */
export async function tryReadRun(place: RunPlace, stores: Stores): Promise<RunReading | DamagedRun> {
  let meta: RunMeta | undefined;
  try {
    meta = await readRunMeta(place.folder);
    return await readRun(place, stores);
  } catch (error) {
    // Only damage belongs to the one run; anything else would hide a defect.
    if (error instanceof HypoError && error.code === "run_damaged") return { ...place, meta, problem: messageOf(error) };
    throw error;
  }
}

/** All branches of a run with their states. */
export async function branchStates(journal: JournalView): Promise<{ name: string; head: number; state: RunState }[]> {
  const branches = [];
  for (const [name, head] of journal.heads) branches.push({ name, head, state: await journal.state(name) });
  return branches;
}

/** Whether a process is at work on a branch. */
export function isBranchLive(process: RunProcess | undefined, branch: string, stores: Stores): boolean {
  return process !== undefined && isAtWork(process.state) && process.branches.includes(branch) && stores.isAlive(process);
}

export function isAtWork(state: RunProcess["state"]): boolean {
  return state === "starting" || state === "running" || state === "stopping";
}

/** A branch without a process that has not ended waits for a person, or was interrupted. */
export function shownState(state: RunState, isLive: boolean): ShownState {
  if (isOver(state) || state.status === "blocked" || state.status === "paused") return state.status;
  if (isLive) return state.head === 0 ? "starting" : state.status;
  return "interrupted";
}
