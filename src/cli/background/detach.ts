import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../files/atomic.ts";
import type { ResumeOptions, RunOptions } from "../commands/options.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { withProject } from "../project/fresh-project.ts";
import { chooseProject, type Project } from "../project/project.ts";
import type { RunPlace } from "../runs/find-run.ts";
import { resumeArguments, runArguments } from "./arguments.ts";
import { letGo, startBackground, type BackgroundOptions } from "./start-background.ts";

/** Within a run's folder: what its background processes said. */
const LOG_FILE = "process.log";

/** A run at work in a background process. */
export interface DetachedRun {
  run: string;
  pid: number;
  log: string;
}

/**
 * Starts a run in a process of its own. Resolves when its first facts are durable.
 *
 * @throws HypoError what the run could not begin for
 */
export async function startDetached(question: string, options: RunOptions, io: Io): Promise<DetachedRun> {
  return withProject(await chooseProject(io.cwd), (project) => startIn(project, { question, options, io }));
}

async function startIn(
  { state }: Project,
  { question, options, io }: { question: string; options: RunOptions; io: Io },
): Promise<DetachedRun> {
  const runs = join(state, "runs");
  await makeFolder(runs);
  // The run has no folder yet.
  const draft = join(runs, `.starting-${randomBytes(6).toString("hex")}.log`);
  try {
    const begun = await detach(runArguments(options), { io, log: draft, input: question });
    const log = join(runs, begun.run, LOG_FILE);
    await rename(draft, log);
    return { ...begun, log };
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Goes on with a run in a process of its own. Resolves when that has taken it over.
 *
 * @throws HypoError what it could not go on for
 */
export async function resumeDetached(place: RunPlace, options: ResumeOptions, io: Io): Promise<DetachedRun> {
  const log = join(place.folder, LOG_FILE);
  return { ...(await detach(resumeArguments({ ...options, run: place.id }), { io, log })), log };
}

/** @param hypo how hypo is called for the run's project */
export function sayDetached({ run, pid, log }: DetachedRun, { json, hypo = "hypo" }: { json: boolean; hypo?: string }, io: Io): void {
  if (json) return writeJson(io, { run, pid, log });
  writeOut(io, run);
  writeErr(io, `The run is at work in the background. Come back to it with: ${hypo} resume ${run}`);
}

async function detach(args: readonly string[], options: BackgroundOptions): Promise<{ run: string; pid: number }> {
  const started = await startBackground(args, options);
  const end = (): void => void started.child.kill("SIGTERM");
  // Whoever gives up waiting does not want the run.
  process.once("exit", end);
  try {
    return { run: await started.announced, pid: started.pid };
  } finally {
    process.off("exit", end);
    letGo(started);
  }
}
