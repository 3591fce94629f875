import { ExitCode } from "../../domain/errors.ts";
import { resumeDetached, sayDetached, startDetached } from "../background/detach.ts";
import { loadConfig } from "../config/load.ts";
import type { Io } from "../io.ts";
import { checkMaterial, placeOf } from "../material/check-material.ts";
import { openProject } from "../project/project.ts";
import { readQuestion } from "../question/read-question.ts";
import { findRun } from "../runs/find-run.ts";
import type { ResumeOptions, RunOptions } from "./options.ts";

/** Starts a run in the background, and prints its id once it is at work. */
export async function runDetachedCommand(options: RunOptions, io: Io): Promise<number> {
  const question = await readQuestion(options, io);
  const { config } = await loadConfig(io, options);
  await checkMaterial(options.context, placeOf(io, config));
  sayDetached(await startDetached(question, options, io), options, io);
  return ExitCode.ok;
}

/** Goes on with a run in the background, and prints its id once it is at work. */
export async function resumeDetachedCommand(options: ResumeOptions, io: Io): Promise<number> {
  const place = await findRun(await openProject(io.cwd), options.run);
  sayDetached(await resumeDetached(place, options, io), options, io);
  return ExitCode.ok;
}
