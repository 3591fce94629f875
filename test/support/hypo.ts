import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { z } from "zod";
import { trustConfig } from "../../src/cli/project/trust.ts";
import type { Config } from "../../src/domain/config.ts";
import { systemCodeOf } from "../../src/domain/errors.ts";
import { processIdentity } from "../../src/files/process-identity.ts";
import { isRunId } from "../../src/domain/ids.ts";
import { writeAgentDir, type AgentDirOptions } from "./agent-dir.ts";
import { startProgram, type ProgramOptions, type ProgramResult, type RunningProgram } from "./program.ts";
import { openRunFolder, type RunFolder } from "./run-folder.ts";

/** The binary that people run. */
export const HYPO = fileURLToPath(new URL("../../bin/hypo.js", import.meta.url));

export interface HypoOptions extends Partial<Pick<ProgramOptions, "cwd" | "stdin" | "timeoutMs" | "killAfter" | "killWhen">> {
  /** Added to the project's environment. */
  env?: Record<string, string>;
  /** `<point>` or `<point>:<n>`: the process kills itself when it comes to that point for the n-th time. */
  crashAt?: string;
  /** Another program in the binary's place. */
  program?: string;
}

/** A temporary project with a home, a Pi agent directory and an environment of its own. */
export interface Project {
  folder: string;
  home: string;
  agentDir: string;
  env: Record<string, string>;
  /** Writes the project's configuration and trusts it. */
  writeConfig: (config: z.input<typeof Config>) => Promise<void>;
  /** Makes the server at `url` Pi's default model, `scripted/scripted`. */
  useModel: (url: string, options?: AgentDirOptions) => Promise<void>;
  /** Starts the binary in the project folder. */
  start: (args: string[], options?: HypoOptions) => RunningProgram;
  /** Runs the binary to its end, whatever that is. */
  hypo: (args: string[], options?: HypoOptions) => Promise<ProgramResult>;
  /** Ids of all runs, oldest first. */
  runIds: () => Promise<string[]>;
  /** The run of that id, or the only one. */
  run: (id?: string) => Promise<RunFolder>;
  /** Notes under `.hypo/memory`, by path. */
  notes: () => Promise<{ path: string; text: string }[]>;
}

/** Gives a test a project, and removes it afterwards. */
export async function withProject<T>(use: (project: Project) => Promise<T>): Promise<T> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "hypo-test-")));
  const running = new Set<RunningProgram>();
  try {
    return await use(await makeProject(base, running));
  } finally {
    await stopAll(running);
    await killBackground(join(base, "project", ".hypo", "runs"));
    // What was just killed may still be writing.
    await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function makeProject(base: string, running: Set<RunningProgram>): Promise<Project> {
  const [folder, home, agentDir] = [join(base, "project"), join(base, "home"), join(base, "agent")];
  const data = join(folder, ".hypo");
  for (const path of [data, home, agentDir, join(base, "tmp")]) await mkdir(path, { recursive: true, mode: 0o700 });
  const env = environmentOf(base, home, agentDir);
  const start = (args: string[], options: HypoOptions = {}): RunningProgram => {
    const program = startProgram(options.program ?? HYPO, args, {
      cwd: folder,
      ...options,
      env: { ...env, ...crashPoint(options), ...options.env },
    });
    running.add(program);
    return program;
  };
  const runIds = (): Promise<string[]> => listRuns(join(data, "runs"));
  return {
    folder,
    home,
    agentDir,
    env,
    async writeConfig(config) {
      // JSON is YAML.
      const text = `${JSON.stringify(config, null, 2)}\n`;
      await writeFile(join(data, "config.yaml"), text);
      await trustConfig({ root: folder, state: data }, text, env, new Date());
    },
    useModel: (url, options) => writeAgentDir(agentDir, url, options),
    start,
    hypo: (args, options) => start(args, options).ended,
    runIds,
    run: async (id) => openRunFolder(join(data, "runs"), id ?? onlyOne(await runIds())),
    notes: () => readNotes(join(data, "memory")),
  };
}

/** Everything the binary may see of this machine: no key, no proxy, no setting of the person who runs the tests. */
function environmentOf(base: string, home: string, agentDir: string): Record<string, string> {
  const { PATH = "", DOCKER_HOST } = process.env;
  return {
    PATH,
    ...(DOCKER_HOST === undefined ? {} : { DOCKER_HOST }),
    HOME: home,
    TMPDIR: join(base, "tmp"),
    LANG: "C.UTF-8",
    TZ: "UTC",
    PI_CODING_AGENT_DIR: agentDir,
    PI_OFFLINE: "1",
  };
}

function crashPoint({ crashAt }: HypoOptions): Record<string, string> {
  return crashAt === undefined ? {} : { HYPO_CRASH_AT: crashAt };
}

async function stopAll(running: Set<RunningProgram>): Promise<void> {
  for (const program of running) program.kill("SIGKILL");
  await Promise.allSettled([...running].map((program) => program.ended));
}

/** Detached processes are nobody's children; a test that failed may have left one at work. */
async function killBackground(runs: string): Promise<void> {
  for (const id of await listRuns(runs)) {
    const status = await readFile(join(runs, id, "status.json"), "utf8").catch(() => "{}");
    const { pid, pid_started: started } = JSON.parse(status) as { pid?: number; pid_started?: string };
    if (pid !== undefined && processIdentity(pid)?.started === started) process.kill(pid, "SIGKILL");
  }
}

/** Run ids begin with their time, so that their order is the order of the runs. */
async function listRuns(folder: string): Promise<string[]> {
  return (await listFolder(folder)).filter(isRunId).sort();
}

function onlyOne(ids: string[]): string {
  const [id, ...others] = ids;
  if (id === undefined || others.length > 0) throw new Error(`expected one run, found ${ids.length}: ${ids.join(", ")}`);
  return id;
}

async function readNotes(folder: string): Promise<{ path: string; text: string }[]> {
  const files = (await listFolder(folder, true)).filter((name) => name.endsWith(".md")).sort();
  return Promise.all(files.map(async (name) => ({ path: name, text: await readFile(join(folder, name), "utf8") })));
}

/** Names in a folder; none where it does not exist. */
async function listFolder(folder: string, recursive = false): Promise<string[]> {
  return readdir(folder, { recursive }).catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw error;
  });
}
