import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Config } from "../domain/config.ts";
import type { ManualSetup } from "../engine/manual-run.ts";
import { systemClock } from "../engine/system-clock.ts";
import type { StoredExperiments } from "../sandbox/index.ts";
import { makeCrashAt } from "./crash-at.ts";
import type { Io } from "./io.ts";
import type { Project } from "./project/project.ts";
import { readVersion } from "./start.ts";

interface HandOptions {
  project: Project;
  config: Config;
  io: Io;
  /** Pi's agent directory, where not the usual one: it is closed to data files. */
  agentDir: string | undefined;
  say: (line: string) => void;
  /** Takes what an experiment at work is doing, as often as it changes. */
  onProgress: (message: string) => void;
  signal: AbortSignal;
}

/** What experiments by hand and replays work with: everything of a run but models and the web. */
export interface HandWorld {
  setup: ManualSetup;
  stored: StoredExperiments;
  close(): Promise<void>;
}

/** Puts the adapters of experiments together, without Pi: no model is ever asked. */
export async function openHandWorld({ project, config, io, agentDir, say, onProgress, signal }: HandOptions): Promise<HandWorld> {
  const version = readVersion();
  const clock = systemClock;
  const { createProjectFiles, openSourceStore } = await import("../gateway/index.ts");
  const { createCriteria, createSandbox } = await import("../sandbox/index.ts");
  const { openMemory } = await import("../memory/index.ts");
  const sources = openSourceStore(join(project.state, "sources"), {
    onDamage: (damaged) => say(`A source is damaged and left out: ${damaged.path}.`),
  });
  const memory = openMemory({ folder: project.state, say });
  const folder = join(project.state, "experiments");
  const sandbox = createSandbox({ folder, experiment: config.experiment, clock, version });
  const piFolder = agentDir ?? io.env["PI_CODING_AGENT_DIR"] ?? join(homedir(), ".pi", "agent");
  const files = createProjectFiles({ folder: project.root, closedFolders: [piFolder, project.state], clock });
  return {
    setup: {
      stateFolder: project.state,
      config,
      ports: { sandbox, criteria: createCriteria(), sources, project: files, memory },
      clock,
      version,
      randomHex: (digits) =>
        randomBytes(Math.ceil(digits / 2))
          .toString("hex")
          .slice(0, digits),
      say,
      onProgress: (experiment, message) => onProgress(`${experiment}: ${message}`),
      crashAt: makeCrashAt(io.env["HYPO_CRASH_AT"]),
      signal,
    },
    stored: sandbox,
    close: () => memory.close(),
  };
}
