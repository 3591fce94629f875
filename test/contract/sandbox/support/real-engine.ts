import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import Docker from "dockerode";
import { afterAll, expect } from "vitest";
import { CONFIG_DEFAULT, type Config } from "../../../../src/domain/config.ts";
import { TestPlan, type ExecutionResult } from "../../../../src/domain/experiment.ts";
import { hashOf } from "../../../../src/domain/hash.ts";
import type { Clock, ExecutionRequest } from "../../../../src/domain/ports.ts";
import { createSandbox } from "../../../../src/sandbox/index.ts";

export const IMAGE = "hypo-sandbox/python:latest";

/** Why these tests cannot run here; undefined where they can. */
async function findObstacle(): Promise<string | undefined> {
  try {
    await new Docker().ping();
  } catch (error) {
    return `no Docker engine answers (${String(error)}); run scripts/ensure-docker`;
  }
  try {
    await new Docker().getImage(IMAGE).inspect();
  } catch {
    return `the image ${IMAGE} is missing; run scripts/make-test-images`;
  }
  return undefined;
}

const obstacle = await findObstacle();
if (obstacle !== undefined && process.env["HYPO_REQUIRE_DOCKER"] === "1") throw new Error(`HYPO_REQUIRE_DOCKER=1, but ${obstacle}.`);
if (obstacle !== undefined) process.stderr.write(`Docker tests are skipped: ${obstacle}.\n`);

/** True where the tests on the real engine cannot run and need not; the reason is printed. */
export const withoutDocker = obstacle !== undefined;

export const realClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};

export interface Bench {
  sandbox: ReturnType<typeof createSandbox>;
  folder: string;
  run: string;
}

const folders: string[] = [];
afterAll(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

/** A sandbox with a folder of its own, and a run id that no other test has. */
export async function openBench(
  options: { experiment?: Partial<Config["experiment"]>; dockerHost?: string; engineTimeoutMs?: number; clock?: Clock } = {},
): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), "hypo-sandbox-"));
  folders.push(folder);
  const experiment = { ...CONFIG_DEFAULT.experiment, image: IMAGE, ...options.experiment };
  const { dockerHost, engineTimeoutMs, clock = realClock } = options;
  const sandbox = createSandbox({ folder, experiment, clock, version: "0.0.0-test", dockerHost, engineTimeoutMs });
  return { sandbox, folder, run: `20260101-000000-test-${folder.slice(-6)}` };
}

const PLAN = {
  hypothesis: "h-0000000001",
  title: "A test",
  method: "Run a script.",
  metrics: [{ name: "x", type: "double" }],
  image: IMAGE,
  success_criterion: "metrics.x < 1",
  refutation_criterion: "metrics.x >= 1",
};

export interface Trial {
  /** The Python program. */
  script: string;
  plan?: Record<string, unknown>;
  command?: string[];
  code?: Record<string, string>;
  data?: Record<string, Uint8Array>;
  signal?: AbortSignal;
  execution?: number;
  experiment?: string;
  onProgress?: (message: string) => void;
}

export function requestFor(bench: Pick<Bench, "run">, trial: Trial): ExecutionRequest {
  const plan = TestPlan.parse({ ...PLAN, ...trial.plan });
  const code = { "main.py": trial.script, ...trial.code };
  return {
    run: bench.run,
    branch: "main",
    agent: "root.1",
    call: "call_1",
    experiment: trial.experiment ?? "x-0000000001",
    confirmatory: (trial.execution ?? 1) === 1,
    execution: trial.execution ?? 1,
    plan,
    planSha256: hashOf(plan),
    code,
    codeSha256: hashOf(code),
    command: trial.command ?? ["python3", "main.py"],
    data: trial.data ?? {},
    signal: trial.signal ?? new AbortController().signal,
    onProgress: trial.onProgress ?? (() => undefined),
  };
}

export async function execute(bench: Bench, trial: Trial): Promise<ExecutionResult> {
  return bench.sandbox.execute(requestFor(bench, trial));
}

/** Containers and volumes of a run that are still on the engine. */
export async function leftOf(run: string): Promise<string[]> {
  const docker = new Docker();
  const filters = { label: [`dev.hypo.run=${run}`] };
  const [containers, volumes] = await Promise.all([docker.listContainers({ all: true, filters }), docker.listVolumes({ filters })]);
  return [...containers.flatMap(({ Names }) => Names), ...(volumes.Volumes ?? []).map(({ Name }) => Name)];
}

/** Another hypo on this engine may be clearing away the same at this moment. */
export async function expectNothingLeft(run: string): Promise<void> {
  await expect.poll(() => leftOf(run), { timeout: 10_000 }).toEqual([]);
}

/** Programs on this machine that run as a user; none where the engine is elsewhere. */
export async function processesOf(uid: number): Promise<string[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const owners = await Promise.all(
    pids.map((pid) =>
      stat(`/proc/${pid}`).then(
        ({ uid }) => uid,
        () => undefined,
      ),
    ),
  );
  return pids.filter((_, index) => owners[index] === uid);
}

/** The payload's container of a run, once it runs. */
export async function waitForPayload(run: string): Promise<Docker.Container> {
  const docker = new Docker();
  for (let tries = 0; tries < 400; tries += 1) {
    const [found] = await docker.listContainers({ filters: { label: [`dev.hypo.run=${run}`, "dev.hypo.role=payload"] } });
    if (found !== undefined) return docker.getContainer(found.Id);
    await delay(50);
  }
  throw new Error("the payload did not start");
}

export const WRITE_METRICS = `import json; json.dump({"x": 0.5}, open("/out/metrics.json", "w"))\n`;

/** A file of the compiled product, for tests that need a process of their own. */
export function compiled(path: string): string {
  return fileURLToPath(new URL(`../../../../dist/${path}`, import.meta.url));
}
