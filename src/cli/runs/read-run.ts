import { MAIN_BRANCH } from "../../domain/ids.ts";
import { evolve } from "../../engine/state/evolve.ts";
import { emptyLedger, evolveLedger, type Ledger } from "../../engine/state/ledger.ts";
import { emptyRunState, isOver, type RunState, type RunStatus } from "../../engine/state/run-state.ts";
import { HypoError, messageOf } from "../../domain/errors.ts";
import type { Stores } from "../stores.ts";
import type { RunPlace } from "./find-run.ts";
import { readRunMeta, readRunProcess, type RunMeta, type RunProcess } from "./run-files.ts";

/** What people see of a run's state: the journal's, or why the journal does not tell. */
type ShownState = RunStatus | "starting" | "interrupted" | "damaged" | "by hand";

/** A run as its files tell it. */
export interface RunReading extends RunPlace {
  meta: RunMeta;
  process: RunProcess | undefined;
  isLive: boolean;
  state: RunState;
  ledger: Ledger;
  shown: ShownState;
}

/** @throws HypoError `run_damaged` */
export async function readRun(place: RunPlace, stores: Stores): Promise<RunReading> {
  const meta = await readRunMeta(place.folder);
  const process = await readRunProcess(place.folder);
  const isLive = process !== undefined && isAtWork(process.state) && stores.isAlive(process);
  const { state, ledger } = await foldJournal(place.folder, stores);
  return { ...place, meta, process, isLive, state, ledger, shown: meta.origin === "manual" ? "by hand" : shownState(state, isLive) };
}

/** The state of `main` and the ledger of all branches, in one reading unless `main` has been forked or rewound. */
async function foldJournal(folder: string, stores: Stores): Promise<{ state: RunState; ledger: Ledger }> {
  const whole = emptyRunState();
  const ledger = emptyLedger();
  const journal = await stores.readJournal(folder, (fact) => {
    evolve(whole, fact);
    evolveLedger(ledger, fact);
  });
  if (journal.isUnforked && journal.heads.get(MAIN_BRANCH) === whole.head) return { state: whole, ledger };
  const state = emptyRunState();
  for await (const fact of journal.ancestry(MAIN_BRANCH)) evolve(state, fact);
  return { state, ledger };
}

/** The same, with the problem in place of a run that cannot be read. */
export async function tryReadRun(place: RunPlace, stores: Stores): Promise<RunReading | { id: string; folder: string; problem: string }> {
  try {
    return await readRun(place, stores);
  } catch (error) {
    // Only damage belongs to the one run; anything else would hide a defect.
    if (error instanceof HypoError && error.code === "run_damaged") return { ...place, problem: messageOf(error) };
    throw error;
  }
}

function isAtWork(state: RunProcess["state"]): boolean {
  return state === "starting" || state === "running" || state === "stopping";
}

/** A run without a process that has not ended waits for a person, or was interrupted. */
function shownState(state: RunState, isLive: boolean): ShownState {
  if (isOver(state) || state.status === "blocked" || state.status === "paused") return state.status;
  if (isLive) return state.head === 0 ? "starting" : state.status;
  return "interrupted";
}
