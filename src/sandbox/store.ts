import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { HypoError, messageOf, systemCodeOf } from "../domain/errors.ts";
import { ExecutionResult, type TestPlan } from "../domain/experiment.ts";
import { canonicalJson, hashOf, sha256 } from "../domain/hash.ts";
import type { ItemId } from "../domain/ids.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import type { InputFiles } from "./inputs.ts";

/**
 * Experiments on disk, under one folder:
 * `<experiment>/{plan.json, data-manifest.json, executions/<n>/{started.json, source/, result.json, stdout.log,
 * stderr.log, artifacts/}}`. `started.json` is the result as far as it is known before the container starts.
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
    await writeFileAtomic(
      join(this.pathOf(experiment), "data-manifest.json"),
      canonicalJson({ v: 1, plan_sha256: planSha256, data: plan.data }),
    );
    if (stored === undefined) await writeFileAtomic(path, canonicalJson(plan));
  }

  /** Starts an execution's folder anew: what a killed process left of it goes, its source and first facts come. */
  async begin(started: ExecutionResult, code: InputFiles): Promise<void> {
    const folder = this.pathOf(started.experiment, started.execution);
    await rm(folder, { recursive: true, force: true });
    await Promise.all([...code].map(([path, bytes]) => writeFileAtomic(join(folder, "source", path), bytes)));
    await writeFileAtomic(join(folder, "started.json"), canonicalJson(started));
  }

  /** Keeps an artefact; the path has been checked. */
  async keepArtifact(experiment: ItemId, execution: number, path: string, bytes: Uint8Array): Promise<void> {
    await writeFileAtomic(join(this.pathOf(experiment, execution), "artifacts", path), bytes);
  }

  /** Makes a result durable, after the logs it speaks of. */
  async finish(result: ExecutionResult, logs: { stdout: Uint8Array; stderr: Uint8Array }): Promise<void> {
    const folder = this.pathOf(result.experiment, result.execution);
    await Promise.all([writeFileAtomic(join(folder, "stdout.log"), logs.stdout), writeFileAtomic(join(folder, "stderr.log"), logs.stderr)]);
    await writeFileAtomic(join(folder, "result.json"), canonicalJson(result));
  }

  async result(experiment: ItemId, execution: number): Promise<ExecutionResult | undefined> {
    return this.readRecord(join(this.pathOf(experiment, execution), "result.json"));
  }

  async started(experiment: ItemId, execution: number): Promise<ExecutionResult | undefined> {
    return this.readRecord(join(this.pathOf(experiment, execution), "started.json"));
  }

  /** The plan as it was registered. */
  async planText(experiment: ItemId): Promise<string | undefined> {
    return (await readIfThere(join(this.pathOf(experiment), "plan.json")))?.toString("utf8");
  }

  private async readRecord(path: string): Promise<ExecutionResult | undefined> {
    const bytes = await readIfThere(path);
    if (bytes === undefined) return undefined;
    try {
      return ExecutionResult.parse(JSON.parse(bytes.toString("utf8")));
    } catch (error) {
      throw new HypoError("storage_failed", `${path} is damaged: ${messageOf(error)}`, {
        hint: "Restore the file from version control or a backup.",
        cause: error,
      });
    }
  }

  private pathOf(experiment: ItemId, execution?: number): string {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(experiment))
      throw new HypoError("refused", `${JSON.stringify(experiment)} is not an experiment's id.`, { hint: "Ids look like x-0123456789." });
    const folder = join(this.folder, experiment);
    return execution === undefined ? folder : join(folder, "executions", String(execution));
  }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw new HypoError("storage_failed", `Cannot read ${path}: ${messageOf(error)}.`, {
      hint: "Check the file and its permissions.",
      cause: error,
    });
  }
}
