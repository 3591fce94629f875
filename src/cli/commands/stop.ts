import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { HypoError } from "../../domain/errors.ts";
import { markStopped } from "../../engine/run-status.ts";
import { lockHolder } from "../../engine/journal/lock.ts";
import { isAlive, isElsewhere } from "../../files/process-identity.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { findProject } from "../project/project.ts";
import { findRun, listRuns, type RunPlace } from "../runs/find-run.ts";
import { folderOf } from "../runs/hold-run.ts";
import { isAtWork } from "../runs/read-run.ts";
import { readRunProcess, type RunProcess } from "../runs/run-files.ts";
import type { StopOptions } from "./options.ts";

const LONGEST_WAIT_MS = 10_000;

type Outcome = "stopped" | "stale" | "idle";

/**
 * Asks runs at work to save and end. Only the very process that a run recorded is signalled; the status of a run whose
 * process has died is put right, and nobody is signalled for it.
 */
export async function stopCommand(options: StopOptions, io: Io): Promise<number> {
  const project = await findProject(io.cwd);
  const places = options.run === undefined ? await listRuns(project) : [await findRun(project, options.run)];
  const outcomes = await Promise.all(places.map(async (place) => ({ id: place.id, outcome: await stopRun(place) })));
  const having = (outcome: Outcome): string[] => outcomes.filter((each) => each.outcome === outcome).map(({ id }) => id);
  const [stopped, stale] = [having("stopped"), having("stale")];
  if (options.json) {
    writeJson(io, { stopped, stale });
    return 0;
  }
  for (const id of stopped) writeOut(io, `Stopped ${id}. Go on with: hypo resume ${id}`);
  for (const id of stale)
    writeOut(io, `The process of ${id} had ended without a word; the run is marked as stopped. Go on with: hypo resume ${id}`);
  if (stopped.length + stale.length === 0)
    writeErr(io, options.all ? "No run is at work." : `${places[0]?.id ?? "The run"} is not at work.`);
  return 0;
}

async function stopRun(place: RunPlace): Promise<Outcome> {
  const recorded = await readRunProcess(place.folder);
  if (!recorded || !isAtWork(recorded.state)) return "idle";
  if (!isRunning(recorded)) return (await leaveStale(place)) ? "stale" : "idle";
  process.kill(recorded.pid, "SIGTERM");
  for (let waited = 0; waited < LONGEST_WAIT_MS; waited += 50) {
    if (!isRunning(recorded)) return "stopped";
    await sleep(50);
  }
  throw new HypoError("refused", `${place.id} (process ${recorded.pid}) has not ended within ${LONGEST_WAIT_MS / 1000} s.`, {
    hint: `End it with \`kill -9 ${recorded.pid}\`; nothing that was recorded is lost.`,
  });
}

/** A process of another machine may be at work: then nothing can be said of it from here. */
async function leaveStale(place: RunPlace): Promise<boolean> {
  const holder = await lockHolder(place.folder);
  if (holder && isElsewhere(holder)) {
    throw new HypoError("run_locked", `${place.id} is at work on ${holder.host}, which cannot be seen from here.`, {
      hint: "Stop it there.",
    });
  }
  return markStopped(folderOf(place));
}

function isRunning({ pid, pid_started: started, boot }: RunProcess): boolean {
  return isAlive({ pid, started, boot, host: hostname() });
}
