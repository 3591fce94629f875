import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { HypoError, messageOf, systemCodeOf } from "../domain/errors.ts";
import { ExecutionResult, reviewFile, TestPlan, type Review } from "../domain/experiment.ts";
import { canonicalJson, hashOf, sha256 } from "../domain/hash.ts";
import type { ItemId } from "../domain/ids.ts";
import type { ReplayRecord } from "../domain/replay.ts";
import { syncFiles, writeFileAtomic, writeFileOnce, writeFileUnsynced } from "../files/atomic.ts";
import { isThere } from "../files/is-there.ts";
import { readRegularFile } from "../files/regular-file.ts";
import type { ExecutionRecorder } from "./carry-out.ts";
import type { InputFiles } from "./inputs.ts";

/** Data files of the project up to so many bytes are kept with the experiment, since the project goes on changing. */
const DATA_KEPT_MAX = 16 * 1024 * 1024;

export interface StoredLogs {
  stdout: Buffer;
  stderr: Buffer;
}

/**
 * Experiments on disk, under one folder:
 * `<experiment>/{plan.json, data-manifest.json, data/<sha256>, executions/<n>/{started.json, source/, result.json,
 * stdout.log, stderr.log, artifacts/}, replays/<n>.json, reviews/}`. `started.json` is the result as far as it is known before
 * the container starts.
 */
export class ExperimentStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Stores a plan once; the same plan again changes nothing. */
  async savePlan(experiment: ItemId, plan: TestPlan, planSha256: string): Promise<void> {
    if (hashOf(plan) !== planSha256)
      throw new HypoError("plan_invalid", `The plan of ${experiment} does not have the hash ${planSha256}.`, {
        hint: "Register the plan again.",
      });
    const path = join(this.pathOf(experiment), "plan.json");
    const stored = await readIfThere(path);
    if (stored !== undefined && sha256(stored) !== planSha256)
      throw new HypoError("plan_invalid", `${experiment} has another plan already; a registered plan cannot be changed.`, {
        hint: "Register the changed plan as a new experiment.",
      });
    if (stored !== undefined) return;
    const manifest = canonicalJson({ v: 1, plan_sha256: planSha256, data: plan.data });
    await writeFileAtomic(join(this.pathOf(experiment), "data-manifest.json"), manifest);
    await writeFileAtomic(path, canonicalJson(plan));
  }

  /** Keeps what a replay will need of the project's data; the source store keeps its own by hash. */
  async keepData(experiment: ItemId, plan: TestPlan, data: Record<string, Uint8Array>): Promise<void> {
    for (const file of plan.data) {
      const bytes = data[file.name];
      if (file.from !== "project" || bytes === undefined || bytes.length > DATA_KEPT_MAX) continue;
      const path = join(this.pathOf(experiment), "data", file.sha256);
      if ((await readIfThere(path)) === undefined) await writeFileAtomic(path, bytes);
    }
  }

  async keptData(experiment: ItemId, hash: string): Promise<Uint8Array | undefined> {
    const bytes = await readIfThere(join(this.pathOf(experiment), "data", hash));
    // What was changed since is as good as gone; it may still be where it came from.
    return bytes !== undefined && sha256(bytes) === hash ? bytes : undefined;
  }

  /** Keeps one execution of an experiment under its number. */
  recorder(experiment: ItemId, execution: number, inputs: InputFiles): ExecutionRecorder {
    return {
      begin: (known) => this.begin(known, codeOf(inputs)),
      keep: (path, bytes) => this.keepArtifact(experiment, execution, path, bytes),
      finish: (result, logs) => this.finish(result, logs),
    };
  }

  /** Starts an execution's folder anew: what a killed process left of it goes, its source and first facts come. */
  async begin(started: ExecutionResult, code: InputFiles): Promise<void> {
    const folder = this.pathOf(started.experiment, started.execution);
    await rm(folder, { recursive: true, force: true });
    await Promise.all([...code].map(([path, bytes]) => writeFileAtomic(join(folder, "source", path), bytes)));
    await writeFileAtomic(join(folder, "started.json"), canonicalJson(started));
  }

  /** Keeps an artefact; the path has been checked. It lasts once the result is there, without which nobody reads it. */
  async keepArtifact(experiment: ItemId, execution: number, path: string, bytes: Uint8Array): Promise<void> {
    await writeFileUnsynced(join(this.pathOf(experiment, execution), "artifacts", path), bytes);
  }

  /**
   * Makes a result durable, after the artefacts and logs it speaks of. One that is there already stays, and so do logs where
   * none are given.
   */
  async finish(result: ExecutionResult, logs: { stdout: Uint8Array; stderr: Uint8Array } | undefined): Promise<void> {
    const folder = this.pathOf(result.experiment, result.execution);
    await Promise.all([
      ...(logs === undefined
        ? []
        : [writeFileAtomic(join(folder, "stdout.log"), logs.stdout), writeFileAtomic(join(folder, "stderr.log"), logs.stderr)]),
      syncFiles(
        join(folder, "artifacts"),
        result.artifacts.map(({ path }) => path),
      ),
    ]);
    await writeFileOnce(this.resultPath(result.experiment, result.execution), canonicalJson(result));
  }

  /** Appends a review. */
  async saveReview(review: Review): Promise<void> {
    await writeFileAtomic(join(this.pathOf(review.experiment), "reviews", reviewFile(review)), canonicalJson(review));
  }

  async result(experiment: ItemId, execution: number): Promise<ExecutionResult | undefined> {
    return readRecord(this.resultPath(experiment, execution), ExecutionResult);
  }

  async started(experiment: ItemId, execution: number): Promise<ExecutionResult | undefined> {
    return readRecord(join(this.pathOf(experiment, execution), "started.json"), ExecutionResult);
  }

  async plan(experiment: ItemId): Promise<TestPlan | undefined> {
    return readRecord(join(this.pathOf(experiment), "plan.json"), TestPlan);
  }

  /** The plan as it was registered, byte for byte. */
  async planText(experiment: ItemId): Promise<string | undefined> {
    return (await readIfThere(join(this.pathOf(experiment), "plan.json")))?.toString("utf8");
  }

  /** Numbers of the executions that have a result, in order; whether each can be read is told where it is. */
  async executions(experiment: ItemId): Promise<number[]> {
    const numbers = await listNumbers(join(this.pathOf(experiment), "executions"), /^(\d+)$/);
    const areThere = await Promise.all(numbers.map((execution) => isThere(this.resultPath(experiment, execution))));
    return numbers.filter((_, index) => areThere[index]);
  }

  /** What an execution printed; empty where nothing of it is kept. */
  async logs(experiment: ItemId, execution: number): Promise<StoredLogs> {
    const { stdout, stderr } = await this.keptLogs(experiment, execution);
    return { stdout: stdout ?? Buffer.alloc(0), stderr: stderr ?? Buffer.alloc(0) };
  }

  /** Each log that is there, whole: it may be before the result is. */
  async keptLogs(experiment: ItemId, execution: number): Promise<Partial<StoredLogs>> {
    const folder = this.pathOf(experiment, execution);
    const [stdout, stderr] = await Promise.all([readIfThere(join(folder, "stdout.log")), readIfThere(join(folder, "stderr.log"))]);
    return { ...(stdout && { stdout }), ...(stderr && { stderr }) };
  }

  /** The source files of an execution. */
  async code(experiment: ItemId, execution: number): Promise<Record<string, Uint8Array>> {
    const folder = join(this.pathOf(experiment, execution), "source");
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const files = await Promise.all(
      paths.map(async (path): Promise<[string, Uint8Array]> => [path.slice(folder.length + 1), await readRegularFile(path)]),
    );
    return Object.fromEntries(files);
  }

  /** Keeps a replay under the next free number, also where another process keeps one at the same time. */
  async saveReplay(record: Omit<ReplayRecord, "replay">): Promise<ReplayRecord> {
    const folder = join(this.pathOf(record.experiment), "replays");
    for (let replay = Math.max(0, ...(await listNumbers(folder, /^(\d+)\.json$/))) + 1; ; replay += 1) {
      const whole = { ...record, replay };
      if (await writeFileOnce(join(folder, `${replay}.json`), canonicalJson(whole))) return whole;
    }
  }

  private resultPath(experiment: ItemId, execution: number): string {
    return join(this.pathOf(experiment, execution), "result.json");
  }

  private pathOf(experiment: ItemId, execution?: number): string {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(experiment))
      throw new HypoError("refused", `${JSON.stringify(experiment)} is not an experiment's id.`, { hint: "Ids look like x-0123456789." });
    const folder = join(this.folder, experiment);
    return execution === undefined ? folder : join(folder, "executions", String(execution));
  }
}

function codeOf(inputs: InputFiles): InputFiles {
  return new Map([...inputs].filter(([path]) => path !== "plan.json" && !path.startsWith("data/")));
}

async function listNumbers(folder: string, pattern: RegExp): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}

async function readRecord<T>(path: string, schema: { parse(value: unknown): T }): Promise<T | undefined> {
  const bytes = await readIfThere(path);
  if (bytes === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(bytes.toString("utf8")));
  } catch (error) {
    throw new HypoError("storage_failed", `${path} is damaged: ${messageOf(error)}.`, {
      hint: "Restore the file from version control or a backup.",
      cause: error,
    });
  }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readRegularFile(path);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw new HypoError("storage_failed", `Cannot read ${path}: ${messageOf(error)}.`, {
      hint: "Check the file and its permissions.",
      cause: error,
    });
  }
}
