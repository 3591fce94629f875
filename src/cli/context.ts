import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../domain/config.ts";
import type { ThinkingLevel } from "../domain/model.ts";
import type { RunSetup } from "../engine/run-setup.ts";
import { systemClock } from "../engine/system-clock.ts";
import type { RunFollower } from "./follow-run.ts";
import type { Io } from "./io.ts";
import type { Project } from "./project/project.ts";
import { makeCrashAt } from "./crash-at.ts";
import { readVersion } from "./start.ts";

export interface ContextOptions {
  project: Project;
  config: Config;
  io: Io;
  agentDir: string | undefined;
  models: { model: string | undefined; subagentModel: string; thinking: ThinkingLevel | undefined };
  rehearsal: boolean;
  onGate: RunSetup["onGate"];
  /** Shows what the run does. */
  follower: Pick<RunFollower, "say" | "show" | "showDelta" | "showProgress">;
}

/** A run's world: the engine's setup with the real adapters in it, and the way to close them. */
export interface RunWorld {
  setup: RunSetup;
  close(): Promise<void>;
}

/** The composition root: the only place where the engine and the adapters meet. */
export async function openRunWorld(options: ContextOptions): Promise<RunWorld> {
  const { project, config, io, models, rehearsal, follower } = options;
  const say = (line: string): void => follower.say(line);
  const version = readVersion();
  const clock = systemClock;
  const { openModelContext } = await import("../pi/model-context.ts");
  // Pi reads and sets the environment of the process itself, so it is given that one.
  const context = await openModelContext({ cwd: project.root, agentDir: options.agentDir, ...models, rehearsal, env: process.env });
  const { createGateway, createProjectFiles, openSourceStore } = await import("../gateway/index.ts");
  const { createCriteria, createSandbox } = await import("../sandbox/index.ts");
  const { openMemory } = await import("../memory/index.ts");
  const { createReportWriter } = await import("../report/index.ts");
  const { REHEARSAL_CORPUS } = await import("../pi/rehearsal/corpus.ts");
  const store = openSourceStore(join(project.state, "sources"), {
    onDamage: (damaged) => say(`A source is damaged and left out: ${damaged.path}.`),
  });
  const gateway = createGateway({ config, store, clock, version, ...(rehearsal ? { corpus: REHEARSAL_CORPUS } : {}) });
  const memory = openMemory({ folder: project.state, say });
  const sandbox = createSandbox({
    folder: join(project.state, "experiments"),
    experiment: config.experiment,
    clock,
    version,
  });
  const setup: RunSetup = {
    stateFolder: project.state,
    config,
    models: context,
    ports: {
      sessions: context.sessions,
      gateway,
      sources: store,
      project: createProjectFiles({ folder: project.root, closedFolders: [context.agentDir, project.state], clock }),
      sandbox,
      criteria: createCriteria(),
      memory,
      report: createReportWriter(),
    },
    clock,
    versions: { hypo: version, pi: context.piVersion },
    rehearsal,
    onGate: options.onGate,
    random: Math.random,
    randomHex: (digits) =>
      randomBytes(Math.ceil(digits / 2))
        .toString("hex")
        .slice(0, digits),
    say,
    onFact: (fact) => follower.show(fact),
    onDelta: (agent, delta) => follower.showDelta(agent, delta),
    onProgress: (experiment, message) => follower.showProgress(experiment, message),
    crashAt: makeCrashAt(io.env["HYPO_CRASH_AT"]),
  };
  return {
    setup,
    async close() {
      await Promise.all([gateway.close(), memory.close()]);
    },
  };
}
