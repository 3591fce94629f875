import { setTimeout as sleep } from "node:timers/promises";
import { ExitCode } from "../domain/errors.ts";
import type { Fact } from "../domain/events.ts";
import { isFact } from "../domain/records.ts";
import { MAIN_BRANCH } from "../domain/ids.ts";
import type { RunFollower, Watched } from "./follow-run.ts";
import { writeErr } from "./io.ts";
import type { RunPlace } from "./runs/find-run.ts";
import { isAtWork } from "./runs/read-run.ts";
import { readRunProcess, type RunProcess } from "./runs/run-files.ts";
import type { StartGuard } from "./start-guard.ts";
import { stores } from "./stores.ts";

const POLL_MS = 150;

/**
 * Shows what another process does on a run, by following its journal: nothing is written. Ends with that process, and
 * gives its exit code; Ctrl-C ends only the view, with 0.
 *
 * @param branches to be shown; empty for all that are at work
 */
export async function attachToRun(place: RunPlace, branches: readonly string[], follower: RunFollower, guard: StartGuard): Promise<number> {
  const journal = await stores.readRun(place.folder, place.id);
  const shown = branches.length > 0 ? branches : ((await readRunProcess(place.folder))?.branches ?? []);
  const first = shown[0] ?? MAIN_BRANCH;
  let state = await journal.state(first);
  const leaving = new AbortController();
  let exitCode: number = ExitCode.ok;
  const leave = (name: string, code: number): void => {
    if (name === "SIGTERM") exitCode = code;
    leaving.abort();
  };
  const showNew = async (): Promise<void> => {
    const fresh: Fact[] = [];
    await journal.readOn((record) => {
      if (isFact(record) && shown.includes(record.branch)) fresh.push(record);
    });
    state = await journal.state(first);
    for (const fact of fresh) follower.show(fact);
  };
  const said = new Set<string>();
  const sayNew = (lines: readonly string[]): void => {
    for (const line of lines) if (!said.has(line)) follower.say(line);
    for (const line of lines) said.add(line);
  };
  if (!follower.drawsView)
    follower.say(`The run is at work in another process. Ctrl-C leaves it at work; \`hypo stop ${place.id}\` saves and ends it.`);
  const watched: Watched = {
    state: () => state,
    ledger: () => journal.ledger,
    facts: () => journal.ancestry(first),
    run: place,
    branch: first,
    isAttached: true,
    interrupt: leave,
    detach: () => leaving.abort(),
  };
  const last = await follower.watch(watched, () => followProcess(place, { showNew, sayNew }, leaving.signal), guard);
  if (last) return last.exit_code ?? ExitCode.failed;
  writeErr(follower.options.io, `The run is still at work. Come back with: hypo resume ${place.id}`);
  return exitCode;
}

interface Showing {
  showNew: () => Promise<void>;
  /** Takes what the process has said to its own person. */
  sayNew: (lines: readonly string[]) => void;
}

/** Gives the process's last word, or undefined where the view was left before. */
async function followProcess({ folder }: RunPlace, { showNew, sayNew }: Showing, signal: AbortSignal): Promise<RunProcess | undefined> {
  while (!signal.aborted) {
    // Asked before reading, so that what the process wrote last is read too.
    const process = await readRunProcess(folder);
    await showNew();
    sayNew(process?.said ?? []);
    if (process && !(isAtWork(process.state) && stores.isAlive(process))) return process;
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}
