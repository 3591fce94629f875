import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { HypoError } from "../../domain/errors.ts";
import { isAlive } from "../../files/process-identity.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { findProject } from "../project/project.ts";
import { findRun, listRuns, type RunPlace } from "../runs/find-run.ts";
import { readRunProcess, type RunProcess } from "../runs/run-files.ts";
import type { StopOptions } from "./options.ts";

const LONGEST_WAIT_MS = 10_000;

/** Asks runs at work to save and end. Only the very process that a run recorded is signalled. */
export async function stopCommand(options: StopOptions, io: Io): Promise<number> {
  const project = await findProject(io.cwd);
  const places = options.run === undefined ? await listRuns(project) : [await findRun(project, options.run)];
  const stopped: string[] = [];
  for (const place of places) if (await stopRun(place)) stopped.push(place.id);
  if (options.json) writeJson(io, { stopped });
  else for (const id of stopped) writeOut(io, `Stopped ${id}. Go on with: hypo resume ${id}`);
  if (stopped.length === 0 && !options.json)
    writeErr(io, options.all ? "No run is at work." : `${places[0]?.id ?? "The run"} is not at work.`);
  return 0;
}

async function stopRun(place: RunPlace): Promise<boolean> {
  const worker = await readRunProcess(place.folder);
  if (!worker || !isRunning(worker)) return false;
  process.kill(worker.pid, "SIGTERM");
  for (let waited = 0; waited < LONGEST_WAIT_MS; waited += 50) {
    if (!isRunning(worker)) return true;
    await sleep(50);
  }
  throw new HypoError("refused", `${place.id} (process ${worker.pid}) has not ended within ${LONGEST_WAIT_MS / 1000} s.`, {
    hint: `End it with \`kill -9 ${worker.pid}\`; nothing that was recorded is lost.`,
  });
}

function isRunning({ pid, pid_started: started, boot }: RunProcess): boolean {
  return isAlive({ pid, started, boot, host: hostname() });
}
