import { HypoError } from "../../domain/errors.ts";
import { startRun } from "../../engine/run.ts";
import { loadConfig } from "../config/load.ts";
import { openRunWorld } from "../context.ts";
import { RunFollower } from "../follow-run.ts";
import type { Io } from "../io.ts";
import { openProject } from "../project/project.ts";
import type { RunOptions } from "./options.ts";

/** Researches a question to its report. Resolves to the exit code. */
export async function runCommand(options: RunOptions, io: Io): Promise<number> {
  if (options.dryRun) return (await import("./dry-run.ts")).dryRunCommand(options, io);
  const question = await readQuestion(options.question, io);
  const { config } = await loadConfig(io, options);
  const project = await openProject(io.cwd);
  const follower = new RunFollower({ json: options.json, project, io });
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
    return await follower.follow(await startRun(question, world.setup));
  } finally {
    await world.close();
  }
}

const LONGEST_QUESTION = 8000;

async function readQuestion(argument: string | undefined, io: Io): Promise<string> {
  const text =
    argument !== undefined && argument !== "-" ? argument : io.isTty.stdin && argument === undefined ? "" : await readAll(io.stdin);
  const question = text.replace(/\s+/g, " ").trim();
  if (question === "")
    throw new HypoError("usage", "`hypo run` needs a question.", { hint: 'For example: hypo run "Does vitamin D shorten colds?"' });
  if (question.length > LONGEST_QUESTION) {
    throw new HypoError("usage", `The question has ${question.length} characters, and at most ${LONGEST_QUESTION} are taken.`, {
      hint: "Put material into files of the project; agents can read them.",
    });
  }
  return question;
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
