import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { ExitCode, HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";
import { markStopped } from "../../engine/run-status.ts";
import { lockHolder } from "../../engine/journal/lock.ts";
import { isAlive, isElsewhere } from "../../files/process-identity.ts";
import { asHypoError, reportFailure } from "../failures.ts";
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
 * process has died is put right, and nobody is signalled for it. Of all runs, those that cannot be stopped keep no other
 * from it. Resolves to the exit code.
 *
 * @throws HypoError why the one run that was named cannot be stopped
 */
export async function stopCommand(options: StopOptions, io: Io): Promise<number> {
  const project = await findProject(io.cwd);
  const places = options.run === undefined ? await listRuns(project) : [await findRun(project, options.run)];
  const outcomes = await Promise.all(
    places.map(async (place) => ({ id: place.id, outcome: await stopRun(place).catch((error: unknown) => asHypoError(error)) })),
  );
  const having = (outcome: Outcome): string[] => outcomes.filter((each) => each.outcome === outcome).map(({ id }) => id);
  const [stopped, stale] = [having("stopped"), having("stale")];
  const failed = outcomes.flatMap(({ id, outcome }) => (outcome instanceof HypoError ? [{ id, error: outcome }] : []));
  const [first] = failed;
  if (first && !options.all) throw first.error;
  if (options.json) {
    const failures = failed.map(({ id, error: { code, message, hint } }) => ({ run: id, error: { code, message, hint: hint ?? null } }));
    writeJson(io, { stopped, stale, failed: failures });
    return first ? ExitCode.failed : ExitCode.ok;
  }
  for (const id of stopped) writeOut(io, `Stopped ${id}. Go on with: hypo resume ${id}`);
  for (const id of stale)
    writeOut(io, `The process of ${id} had ended without a word; the run is marked as stopped. Go on with: hypo resume ${id}`);
  for (const { error } of failed) reportFailure(error, options, io);
  if (stopped.length + stale.length + failed.length === 0)
    writeErr(io, options.all ? "No run is at work." : `${places[0]?.id ?? "The run"} is not at work.`);
  return first ? ExitCode.failed : ExitCode.ok;
}

/** @throws HypoError `run_damaged`, `run_locked`, `storage_failed`, `refused` where it cannot be stopped */
async function stopRun(place: RunPlace): Promise<Outcome> {
  const recorded = await readRunProcess(place.folder);
  if (!recorded || !isAtWork(recorded.state)) return "idle";
  if (!isRunning(recorded)) return (await leaveStale(place)) ? "stale" : "idle";
  // Where it has ended since, its files say how.
  if (!askToEnd(place, recorded)) return stopRun(place);
  for (let waited = 0; waited < LONGEST_WAIT_MS; waited += 50) {
    if (!isRunning(recorded)) return "stopped";
    await sleep(50);
  }
  throw new HypoError("refused", `${place.id} (process ${recorded.pid}) has not ended within ${LONGEST_WAIT_MS / 1000} s.`, {
    hint: `End it with \`kill -9 ${recorded.pid}\`; nothing that was recorded is lost.`,
  });
}

/** False where the process has ended by itself. */
function askToEnd({ id }: RunPlace, { pid }: RunProcess): boolean {
  try {
    return process.kill(pid, "SIGTERM");
  } catch (error) {
    if (systemCodeOf(error) === "ESRCH") return false;
    throw new HypoError("refused", `${id} (process ${pid}) cannot be asked to end: ${messageOf(error)}.`, {
      hint: "Stop it as the user who runs it.",
      cause: error,
    });
  }
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
