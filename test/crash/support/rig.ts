import { expect } from "vitest";
import { startFixtureSite, type FixtureSite } from "../../support/fixture-site.ts";
import { SCRIPTED_MODEL, type AgentDirOptions } from "../../support/agent-dir.ts";
import { withProject, type HypoOptions, type Project } from "../../support/hypo.ts";
import type { ProgramResult, RunningProgram } from "../../support/program.ts";
import type { RunFolder } from "../../support/run-folder.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model.ts";
import type { Respond } from "../../support/scripted/answer.ts";

/** An address where no container engine listens. */
const NO_ENGINE = "unix:///nonexistent/docker.sock";

/** Named in the configuration, so that no registry is asked for another one. */
const IMAGE = "hypo-sandbox/python:latest";

export interface RigOptions {
  script: (site: string) => Respond;
  config?: Parameters<Project["writeConfig"]>[0];
  agentDir?: AgentDirOptions;
  /** True lets experiments run in containers. */
  docker?: boolean;
}

/** A project with a scripted model and a website, and commands that check what has to hold whenever hypo was killed. */
export interface Rig {
  project: Project;
  model: ScriptedModel;
  site: FixtureSite;
  run: () => Promise<RunFolder>;
  start: (args: string[], options?: HypoOptions) => RunningProgram;
  hypo: (args: string[], options?: HypoOptions) => Promise<ProgramResult>;
  /** Resumes the run, and expects that nothing recorded is asked for again. */
  resume: (options?: HypoOptions) => Promise<ProgramResult>;
}

export async function withRig<T>({ script, config = {}, agentDir, docker = false }: RigOptions, use: (rig: Rig) => Promise<T>): Promise<T> {
  const site = await startFixtureSite();
  const model = await startScriptedModel(script(site.origin));
  try {
    return await withProject(async (project) => {
      await project.useModel(model.url, agentDir);
      await project.writeConfig({
        subagent_model: SCRIPTED_MODEL,
        gateway: { allow_hosts: [site.host] },
        experiment: { image: IMAGE },
        ...config,
      });
      return use(makeRig(project, model, site, docker));
    });
  } finally {
    await Promise.all([model.close(), site.close()]);
  }
}

function makeRig(project: Project, model: ScriptedModel, site: FixtureSite, docker: boolean): Rig {
  const run = (): Promise<RunFolder> => project.run();
  const start = (args: string[], options: HypoOptions = {}): RunningProgram =>
    project.start(args, { timeoutMs: 120_000, ...options, env: { ...(docker ? {} : { DOCKER_HOST: NO_ENGINE }), ...options.env } });
  const hypo = (args: string[], options?: HypoOptions): Promise<ProgramResult> => start(args, options).ended;
  return {
    project,
    model,
    site,
    run,
    start,
    hypo,
    async resume(options) {
      const folder = await run();
      const [recorded, asked] = [await folder.recordedAnswers(), model.requests.length];
      const result = await hypo(["resume", folder.id], options);
      expect(model.askedAgain(recorded, asked)).toEqual([]);
      expect(model.scriptErrors).toEqual([]);
      return result;
    },
  };
}

/** How a command ended, with what it said where that was not as expected. */
export function expectEnd({ code, signal, stdout, stderr }: ProgramResult, wanted: { code: number } | { signal: NodeJS.Signals }): void {
  expect({ code, signal }, `--- stdout\n${stdout}\n--- stderr\n${stderr}`).toMatchObject(wanted);
}
