import { startRun } from "../../engine/run.ts";
import { HypoError } from "../../domain/errors.ts";
import { isRunId } from "../../domain/ids.ts";
import { RUN_ID_VARIABLE } from "../background/announcement.ts";
import { loadConfig } from "../config/load.ts";
import { openRunWorld } from "../context.ts";
import { RunFollower } from "../follow-run.ts";
import type { Io } from "../io.ts";
import { checkMaterial, placeOf } from "../material/check-material.ts";
import { keepMaterial } from "../material/keep-material.ts";
import { withProject } from "../project/fresh-project.ts";
import { chooseProject } from "../project/project.ts";
import { readQuestion } from "../question/read-question.ts";
import type { StartGuard } from "../start-guard.ts";
import type { RunOptions } from "./options.ts";

/** Researches a question to its report. Resolves to the exit code. */
export async function runCommand(options: RunOptions, io: Io, guard: StartGuard): Promise<number> {
  const question = await readQuestion(options, io);
  const { config } = await loadConfig(io, options);
  await checkMaterial(options.context, placeOf(io, config));
  const project = await chooseProject(io.cwd);
  const { json, debug, agentDir, onGate } = options;
  const follower = new RunFollower({ json, debug, agentDir, onGate, project, io });
  const world = await openRunWorld({
    project,
    config,
    io,
    agentDir: options.agentDir,
    models: { model: config.model, subagentModel: config.subagent_model, thinking: config.thinking },
    rehearsal: false,
    onGate: options.onGate ?? (io.isTty.stderr ? "wait" : "exit"),
    follower,
  });
  try {
    const { protocol, context } = options;
    return await withProject(project, async () => {
      const material = await keepMaterial(context, { project, config, io, say: (line) => follower.say(line) });
      guard.hold();
      const live = await startRun(question, world.setup, { id: givenId(io), protocol, material });
      io.announce?.({ run: live.id });
      return follower.follow(live, guard);
    });
  } finally {
    await world.close();
  }
}

/** The id that whoever started this process has chosen. */
function givenId({ env }: Io): string | undefined {
  const id = env[RUN_ID_VARIABLE];
  if (id === undefined || isRunId(id)) return id;
  throw new HypoError("usage", `${RUN_ID_VARIABLE} is ${JSON.stringify(id)}, which is no run id.`, { hint: "Leave it unset." });
}
