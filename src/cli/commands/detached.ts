import { ExitCode } from "../../domain/errors.ts";
import { resumeDetached, sayDetached, startDetached } from "../background/detach.ts";
import { loadConfig } from "../config/load.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { checkMaterial, placeOf } from "../material/check-material.ts";
import { findProject } from "../project/project.ts";
import { readQuestion } from "../question/read-question.ts";
import { awaitWriter } from "../runs/await-writer.ts";
import { findRun } from "../runs/find-run.ts";
import { refuseToRaise } from "../runs/raise-limits.ts";
import { readRunProcess, type RunProcess } from "../runs/run-files.ts";
import type { ResumeOptions, RunOptions } from "./options.ts";

/** Starts a run in the background, and prints its id once it is at work. */
export async function runDetachedCommand(options: RunOptions, io: Io): Promise<number> {
  const question = await readQuestion(options, io);
  const { config } = await loadConfig(io, options);
  await checkMaterial(options.context, placeOf(io, config));
  sayDetached(await startDetached(question, options, io), options, io);
  return ExitCode.ok;
}

/** Goes on with a run in the background, and prints its id once it is at work; of one that is, only that it is. */
export async function resumeDetachedCommand(options: ResumeOptions, io: Io): Promise<number> {
  const place = await findRun(await findProject(io.cwd), options.run);
  if (await awaitWriter(place)) {
    refuseToRaise(options);
    sayAtWork(place.id, await readRunProcess(place.folder), options, io);
    return ExitCode.ok;
  }
  sayDetached(await resumeDetached(place, options, io), options, io);
  return ExitCode.ok;
}

/** Without a log: the process at work may be one at a terminal. */
function sayAtWork(run: string, process: RunProcess | undefined, { json }: ResumeOptions, io: Io): void {
  if (json) return writeJson(io, { run, pid: process?.pid ?? null, log: null });
  writeOut(io, run);
  writeErr(io, `The run is at work already${process ? ` (process ${process.pid})` : ""}. Watch it with: hypo resume ${run}`);
}
