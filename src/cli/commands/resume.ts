import { HypoError } from "../../domain/errors.ts";
import type { LiveRun } from "../../engine/live-run.ts";
import { resumeRun } from "../../engine/run.ts";
import type { RunSetup } from "../../engine/run-setup.ts";
import { attachToRun } from "../attach-run.ts";
import { RunFollower } from "../follow-run.ts";
import type { Io } from "../io.ts";
import { findProject } from "../project/project.ts";
import { awaitWriter } from "../runs/await-writer.ts";
import { findRun, projectOf, type RunPlace } from "../runs/find-run.ts";
import { openWorldOf } from "../runs/open-world-of.ts";
import { raiseOf, refuseToRaise } from "../runs/raise-limits.ts";
import { readRunMeta } from "../runs/run-files.ts";
import type { StartGuard } from "../start-guard.ts";
import type { ResumeOptions } from "./options.ts";

/**
 * Goes on with branches of a run, with the models it was started with; of a run that is at work it shows what its
 * process does. Resolves to the exit code.
 */
export async function resumeCommand(options: ResumeOptions, io: Io, guard: StartGuard): Promise<number> {
  const place = await findRun(await findProject(io.cwd), options.run);
  const project = projectOf(place);
  await refuseManual(place);
  const { json, debug, agentDir, onGate } = options;
  const follower = new RunFollower({ json, debug, agentDir, onGate, project, io, isSeveral: options.branches.length > 1 });
  if (await awaitWriter(place)) return attach(place, options, follower, guard);
  const world = await openWorldOf(place, options, { project, io, follower });
  try {
    guard.hold();
    const live = await takeRun(place, world.setup, options);
    if (!live) return await attach(place, options, follower, guard);
    io.announce?.({ run: place.id });
    return await follower.follow(live, guard);
  } finally {
    await world.close();
  }
}

/** Sets the run to work in this process; undefined where another one has just done so. */
async function takeRun(place: RunPlace, setup: RunSetup, options: ResumeOptions): Promise<LiveRun | undefined> {
  const { branches, acceptChanges } = options;
  try {
    return await resumeRun(place.id, setup, { branches, raise: raiseOf(options), acceptChanges });
  } catch (error) {
    if (error instanceof HypoError && error.code === "run_locked" && (await awaitWriter(place))) return undefined;
    throw error;
  }
}

/** Shows what the process does that is at work on the run. */
async function attach(place: RunPlace, options: ResumeOptions, follower: RunFollower, guard: StartGuard): Promise<number> {
  // A view changes nothing.
  refuseToRaise(options);
  follower.options.io.announce?.({ run: place.id });
  return attachToRun(place, options.branches, follower, guard);
}

async function refuseManual({ id, folder }: RunPlace): Promise<void> {
  const { origin } = await readRunMeta(folder);
  if (origin !== "manual") return;
  throw new HypoError("refused", `Run ${id} was made by hand, so there is nothing to go on with by itself.`, {
    hint: "`hypo experiments list --run` shows its experiment, `hypo experiments run` executes it.",
  });
}
