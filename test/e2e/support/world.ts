import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import type { z } from "zod";
import type { Config } from "../../../src/domain/config.ts";
import type { EventData, EventType, Fact } from "../../../src/domain/events.ts";
import type { AgentDirOptions } from "../../support/agent-dir.ts";
import { startFixtureSite, type FixtureSite } from "../../support/fixture-site.ts";
import { withProject, type HypoOptions, type Project } from "../../support/hypo.ts";
import type { ProgramResult } from "../../support/program.ts";
import type { RunFolder } from "../../support/run-folder.ts";
import { agentScript, type Turn } from "../../support/scenario.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model.ts";
import type { ScriptedAnswer } from "../../support/scripted/answer.ts";

// A test starts up to three processes of some seconds each, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Node.js keeps compiled code here from one process to the next, which saves each a quarter of its time. */
const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), "hypo-test-compile-cache") };

export type Script = (turn: Turn, site: FixtureSite) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** A project whose model is scripted, and a website that only this project's configuration lets agents reach. */
export interface World {
  project: Project;
  model: ScriptedModel;
  site: FixtureSite;
}

export interface WorldOptions {
  /** Added to a configuration that pins children to the supervisor's model. */
  config?: z.input<typeof Config>;
  agentDir?: AgentDirOptions;
}

export const QUESTION = "How many comparisons does merge sort need?";

/** Gives a test a world, and takes it down afterwards. */
export async function withWorld<T>(script: Script, use: (world: World) => Promise<T>, options: WorldOptions = {}): Promise<T> {
  const site = await startFixtureSite();
  const model = await startScriptedModel(agentScript((turn) => script(turn, site)));
  try {
    return await withProject(async (project) => {
      Object.assign(project.env, COMPILED);
      await project.useModel(model.url, options.agentDir);
      await project.writeConfig({ subagent_model: "inherit", ...options.config, gateway: { allow_hosts: [site.host] } });
      return use({ project, model, site });
    });
  } finally {
    await Promise.all([model.close(), site.close()]);
  }
}

/** What a process said and what its run left on disk. */
export interface Outcome extends ProgramResult {
  facts: Fact[];
  /** Data of all facts of a type, in order. */
  all: <T extends EventType>(type: T) => EventData<T>[];
  /** How every agent but the root ended: `outcome` or `outcome: reason`. */
  endings: Record<string, string>;
  /** Recorded results of a tool, in order. */
  results: (agent: string, tool: string) => { ok: boolean; text: string }[];
  /** Every tool result that the agent's model was shown, recorded or not. */
  heard: (agent: string) => string[];
  /** Empty where none was written. */
  report: string;
  notes: { path: string; text: string }[];
}

/** Asks the question with the real binary, and reads what came of it. */
export async function askQuestion(world: World, args: string[] = [], options?: HypoOptions): Promise<Outcome> {
  const ended = await world.project.hypo(["run", QUESTION, ...args], options);
  return readOutcome(world, ended);
}

/** One question in a world of its own. */
export function research(script: Script, options?: WorldOptions): Promise<Outcome> {
  return withWorld(script, (world) => askQuestion(world), options);
}

/** Goes on with the newest run. */
export async function resumeLast(world: World, args: string[] = []): Promise<Outcome> {
  return readOutcome(world, await world.project.hypo(["resume", "last", ...args]));
}

export async function readOutcome({ project, model }: World, ended: ProgramResult): Promise<Outcome> {
  if (model.scriptErrors.length > 0) throw new Error(`the script threw:\n${model.scriptErrors.join("\n")}`);
  const run = await project.run().catch((error: unknown) => {
    throw new Error(`no run was left\n--- stdout\n${ended.stdout}\n--- stderr\n${ended.stderr}`, { cause: error });
  });
  const facts = await run.facts();
  const all = <T extends EventType>(type: T): EventData<T>[] =>
    facts.filter((fact) => fact.type === type).map(({ data }) => data as EventData<T>);
  return {
    ...ended,
    facts,
    all,
    endings: Object.fromEntries(
      all("agent_finished").map(({ agent, outcome, reason }) => [agent, reason === undefined ? outcome : `${outcome}: ${reason}`]),
    ),
    results: (agent, tool) => all("tool_finished").filter((result) => result.agent === agent && result.tool === tool),
    heard: (agent) => {
      const last = model.requests.findLast((request) => request.agent === agent);
      return (last?.request.messages ?? []).filter(({ role }) => role === "tool").map(({ text }) => text);
    },
    report: await readIfThere(run),
    notes: await project.notes(),
  };
}

async function readIfThere(run: RunFolder): Promise<string> {
  return readFile(join(run.path, "report.md"), "utf8").catch(() => "");
}
