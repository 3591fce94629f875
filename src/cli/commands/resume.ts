import type { Budget, Limits } from "../../domain/limits.ts";
import { HypoError } from "../../domain/errors.ts";
import { resumeRun } from "../../engine/run.ts";
import type { Raise } from "../../engine/take-over.ts";
import { attachToRun } from "../attach-run.ts";
import { RunFollower } from "../follow-run.ts";
import type { Io } from "../io.ts";
import { openProject } from "../project/project.ts";
import { findRun, type RunPlace } from "../runs/find-run.ts";
import { isAtWork } from "../runs/read-run.ts";
import { openWorldOf } from "../runs/open-world-of.ts";
import { readRunMeta, readRunProcess } from "../runs/run-files.ts";
import { stores } from "../stores.ts";
import type { CapOptions, ResumeOptions } from "./options.ts";

/**
 * Goes on with branches of a run, with the models it was started with; of a run that is at work it shows what its
 * process does. Resolves to the exit code.
 */
export async function resumeCommand(options: ResumeOptions, io: Io): Promise<number> {
  const project = await openProject(io.cwd);
  const place = await findRun(project, options.run);
  await refuseManual(place);
  const { branches, acceptChanges } = options;
  const follower = new RunFollower({ json: options.json, project, io, isSeveral: branches.length > 1 });
  const raise = raiseOf(options);
  if (await isLive(place)) {
    refuseToChange(raise);
    return attachToRun(place, branches, follower);
  }
  const world = await openWorldOf(place, options, { project, io, follower });
  try {
    return await follower.follow(await resumeRun(place.id, world.setup, { branches, raise, acceptChanges }));
  } finally {
    await world.close();
  }
}

async function refuseManual({ id, folder }: RunPlace): Promise<void> {
  const { origin } = await readRunMeta(folder);
  if (origin !== "manual") return;
  throw new HypoError("refused", `Run ${id} was made by hand, so there is nothing to go on with by itself.`, {
    hint: "`hypo experiments list --run` shows its experiment, `hypo experiments run` executes it.",
  });
}

async function isLive({ folder }: RunPlace): Promise<boolean> {
  const process = await readRunProcess(folder);
  return process !== undefined && isAtWork(process.state) && stores.isAlive(process);
}

/** A view changes nothing. */
function refuseToChange({ limits, budget }: Raise): void {
  if (Object.keys(limits).length + Object.keys(budget).length === 0) return;
  throw new HypoError("refused", "The run is at work, and its limits are raised when it is set to work again.", {
    hint: "Stop it first with `hypo stop`. Nothing that was recorded is lost.",
  });
}

function raiseOf({ maxCost, maxTokens, maxMinutes, maxAgents, maxDepth, maxIterations }: CapOptions): Raise {
  const budget: Partial<Budget> = {};
  if (maxCost !== undefined) budget.usd = maxCost;
  if (maxTokens !== undefined) budget.tokens = maxTokens;
  if (maxMinutes !== undefined) budget.hours = maxMinutes / 60;
  const limits: Partial<Limits> = {};
  if (maxAgents !== undefined) limits.agents = maxAgents;
  if (maxDepth !== undefined) limits.depth = maxDepth;
  if (maxIterations !== undefined) limits.iterations = maxIterations;
  return { budget, limits };
}
