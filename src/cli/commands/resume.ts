import { HypoError } from "../../domain/errors.ts";
import type { Budget, Limits } from "../../domain/limits.ts";
import { readRunMeta, resumeRun, type Raise } from "../../engine/run.ts";
import { runFolder } from "../../engine/run-folder.ts";
import { ThinkingLevel } from "../../domain/model.ts";
import { loadConfig } from "../config/load.ts";
import { openRunWorld } from "../context.ts";
import { RunFollower } from "../follow-run.ts";
import type { Io } from "../io.ts";
import { openProject } from "../project/project.ts";
import { findRun } from "../runs/find-run.ts";
import type { CapOptions, ResumeOptions } from "./options.ts";

/** Goes on with a run, with the models it was started with. Resolves to the exit code. */
export async function resumeCommand(options: ResumeOptions, io: Io): Promise<number> {
  const { config } = await loadConfig(io.cwd, io.env);
  const project = await openProject(io.cwd);
  const { id } = await findRun(project, options.run);
  const meta = await readRunMeta(runFolder(project.state, id));
  if (meta.origin === "manual")
    throw new HypoError("refused", `Run ${id} was made by hand, so there is nothing to go on with by itself.`, {
      hint: "`hypo experiments list --run` shows its experiment, `hypo experiments run` executes it.",
    });
  const follower = new RunFollower({ json: options.json, project, io });
  const world = await openRunWorld({
    project,
    config,
    io,
    agentDir: options.agentDir,
    models: { model: meta.models.supervisor, subagentModel: meta.models.subagent, thinking: ThinkingLevel.parse(meta.models.thinking) },
    rehearsal: meta.rehearsal,
    onGate: options.onGate ?? (io.isTty.stderr ? "wait" : "exit"),
    say: (line) => follower.say(line),
    onFact: (fact) => follower.show(fact),
  });
  try {
    return await follower.follow(await resumeRun(id, world.setup, raiseOf(options)));
  } finally {
    await world.close();
  }
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
