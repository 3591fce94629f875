import { join } from "node:path";
import { startRun } from "../../engine/run.ts";
import { REHEARSAL_QUESTION } from "../../pi/rehearsal/corpus.ts";
import { loadConfig } from "../config/load.ts";
import { openRunWorld } from "../context.ts";
import { RunFollower } from "../follow-run.ts";
import { writeErr, type Io } from "../io.ts";
import { hypoFor } from "../project/hypo-for.ts";
import { makeProject } from "../project/project.ts";
import type { StartGuard } from "../start-guard.ts";
import type { DemoOptions } from "./options.ts";

/** Runs the whole main job with the rehearsal model, in a project of its own. Resolves to the exit code. */
export async function demoCommand(options: DemoOptions, io: Io, guard: StartGuard): Promise<number> {
  const folder = join(io.cwd, "hypo-demo");
  const project = { root: folder, state: join(folder, ".hypo") };
  await makeProject(project);
  const { config } = await loadConfig({ ...io, cwd: folder });
  const { json, debug, agentDir, onGate } = options;
  const follower = new RunFollower({ json, debug, agentDir, onGate, project, io });
  const world = await openRunWorld({
    project,
    config,
    io,
    agentDir: options.agentDir,
    models: { model: undefined, subagentModel: "inherit", thinking: "off" },
    rehearsal: true,
    onGate: options.onGate ?? "exit",
    follower,
  });
  try {
    guard.hold();
    const live = await startRun(REHEARSAL_QUESTION, world.setup);
    const exitCode = await follower.follow(live, guard);
    if (!options.json) writeErr(io, `Look around: ${hypoFor(project, io.cwd)} show last, memory search "comparisons", experiments list`);
    return exitCode;
  } finally {
    await world.close();
  }
}
