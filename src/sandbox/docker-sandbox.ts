import { resolve } from "node:path";
import type { Config } from "../domain/config.ts";
import { HypoError, messageOf } from "../domain/errors.ts";
import type { ExecutionResult, TestPlan } from "../domain/experiment.ts";
import type { ItemId } from "../domain/ids.ts";
import type { Clock, ExecutionRequest, ExperimentSandbox } from "../domain/ports.ts";
import type { ReplayRecord } from "../domain/replay.ts";
import { carryOut, endUnstarted, type CarryOutTools } from "./carry-out.ts";
import { createCriteria } from "./criteria.ts";
import { LOCAL_IMAGE } from "./images.ts";
import { collectInputs } from "./inputs.ts";
import { EngineAccess } from "./open-engine.ts";
import { replayOnce, type ReplayRequest } from "./replay.ts";
import { endWithout, startResult } from "./results.ts";
import { Slots } from "./slots.ts";
import { ExperimentStore, type StoredLogs } from "./store.ts";

interface SandboxOptions {
  /** The project's `experiments` folder; made when something is stored. */
  folder: string;
  experiment: Config["experiment"];
  clock: Clock;
  /** The version of hypo, for the record of the environment. */
  version: string;
  /** Where the engine is, as DOCKER_HOST would say it; where unset, Docker's own variables (TLS too) and the usual sockets tell. */
  dockerHost?: string | undefined;
  /** The longest the engine may take to say what it is, in milliseconds. */
  engineTimeoutMs?: number | undefined;
}

/** What people can do with stored experiments beyond what a run does. */
export interface StoredExperiments {
  /** Numbers of the executions that are stored, in order; empty for an experiment that is not there. */
  executions(experiment: ItemId): Promise<number[]>;
  /** The plan as it was registered. */
  plan(experiment: ItemId): Promise<TestPlan | undefined>;
  /** What an execution printed, as far as it is kept. */
  logs(experiment: ItemId, execution: number): Promise<StoredLogs>;
  /**
   * Executes a stored execution's files again on the same image and keeps how it compares.
   *
   * @throws HypoError `replay_impossible`, `docker_unavailable` or `image_unavailable` where it cannot be done here
   *   and now; `not_found` where there is no such execution.
   */
  replay(request: ReplayRequest): Promise<ReplayRecord>;
}

/** Experiments in containers of a Docker engine. Nothing is connected to before it is needed. */
export function createSandbox(options: SandboxOptions): ExperimentSandbox & StoredExperiments {
  return new DockerSandbox(options);
}

class DockerSandbox implements ExperimentSandbox, StoredExperiments {
  private readonly options: SandboxOptions;
  private readonly store: ExperimentStore;
  private readonly slots: Slots;
  private readonly access: EngineAccess;
  private readonly tools: CarryOutTools;

  constructor(options: SandboxOptions) {
    const { experiment, clock, version, dockerHost, engineTimeoutMs } = options;
    this.options = options;
    this.store = new ExperimentStore(resolve(options.folder));
    this.slots = new Slots(experiment.concurrency);
    const criteria = createCriteria();
    this.access = new EngineAccess({ experiment, clock, store: this.store, criteria, dockerHost, engineTimeoutMs });
    this.tools = { access: this.access, criteria, clock, experiment, version, folder: this.store.folder };
  }

  async available(): ReturnType<ExperimentSandbox["available"]> {
    try {
      const { facts } = await this.access.examine();
      return { ok: true, detail: `Docker ${facts.version} with ${facts.runtime}` };
    } catch (error) {
      if (!(error instanceof HypoError)) throw error;
      return { ok: false, reason: error.message, hint: error.hint ?? "" };
    }
  }

  async defaultImage(): Promise<string> {
    const configured = this.options.experiment.image;
    try {
      const { images } = (await this.access.use()).engine;
      if ((await images.find(configured)) !== undefined) return configured;
      const local = await images.find(LOCAL_IMAGE);
      const pulled = await images.get(configured, new AbortController().signal, () => undefined).catch(() => undefined);
      return pulled !== undefined || local === undefined ? configured : LOCAL_IMAGE;
    } catch {
      // Whatever is wrong with the engine is told when the plan is executed.
      return configured;
    }
  }

  allowedImages(): string[] {
    return [...new Set([this.options.experiment.image, ...this.options.experiment.images, LOCAL_IMAGE])];
  }

  async savePlan(...plan: Parameters<ExperimentSandbox["savePlan"]>): Promise<void> {
    await this.store.savePlan(...plan);
  }

  requireFiles(files: Parameters<ExperimentSandbox["requireFiles"]>[0]): void {
    collectInputs(files);
  }

  async saveReview(...review: Parameters<ExperimentSandbox["saveReview"]>): Promise<void> {
    await this.store.saveReview(...review);
  }

  async result(...key: Parameters<ExperimentSandbox["result"]>): Promise<ExecutionResult | undefined> {
    return this.store.result(...key);
  }

  async executions(experiment: ItemId): Promise<number[]> {
    return this.store.executions(experiment);
  }

  async plan(experiment: ItemId): Promise<TestPlan | undefined> {
    return this.store.plan(experiment);
  }

  async logs(experiment: ItemId, execution: number): Promise<StoredLogs> {
    return this.store.logs(experiment, execution);
  }

  async execute(request: ExecutionRequest): Promise<ExecutionResult> {
    const inputs = collectInputs(request);
    await this.store.savePlan(request.experiment, request.plan, request.planSha256);
    const stored = await this.store.result(request.experiment, request.execution);
    if (stored !== undefined) return requireSame(stored, request);
    await this.store.keepData(request.experiment, request.plan, request.data);
    const started = startResult(request, inputs, this.options.clock.now());
    const recorder = this.store.recorder(request.experiment, request.execution, inputs);
    const release = await this.slots.take(request.signal);
    if (release === undefined)
      return endUnstarted(
        { started, recorder },
        endWithout(started, "cancelled", "it was cancelled before it ran", this.options.clock.now()),
      );
    try {
      const { image } = request.plan;
      return await carryOut(this.tools, {
        request,
        inputs,
        started,
        recorder,
        findImage: ({ images }) => {
          requireAllowed(image, this.allowedImages());
          return images.get(image, request.signal, (message) => request.onProgress(message));
        },
      });
    } finally {
      release();
    }
  }

  async replay(request: ReplayRequest): Promise<ReplayRecord> {
    const release = await this.slots.take(request.signal);
    try {
      return await replayOnce({ ...this.tools, store: this.store, allowedImages: this.allowedImages() }, request);
    } finally {
      release?.();
    }
  }

  async reconcile(key: Parameters<ExperimentSandbox["reconcile"]>[0]): Promise<ExecutionResult | undefined> {
    const stored = await this.store.result(key.experiment, key.execution);
    const reaper = await this.access.findReaper();
    const problem = await reaper?.settle(key).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    const settled = stored ?? (await this.store.result(key.experiment, key.execution));
    if (settled === undefined && problem !== undefined) throw unsettled(key, problem.error);
    return settled;
  }

  async abandon(...which: Parameters<ExperimentSandbox["abandon"]>): Promise<void> {
    const reaper = await this.access.findReaper();
    // Without an engine nothing runs; what an unreachable one still holds ends at its deadline.
    await reaper?.abandon(...which);
  }
}

function requireAllowed(image: string, allowed: string[]): void {
  if (allowed.includes(image)) return;
  throw new HypoError("image_unavailable", `The image ${image} is not among the allowed ones: ${allowed.join(", ")}.`, {
    hint: "Name an allowed image in the plan, or add this one to experiment.images.",
  });
}

/** What an engine that answers may still hold is not given up for lost, and so not run again. */
function unsettled({ experiment, execution }: Parameters<ExperimentSandbox["reconcile"]>[0], error: unknown): HypoError {
  if (error instanceof HypoError && error.code === "storage_failed") return error;
  const what = `What execution ${execution} of ${experiment} left on the Docker engine cannot be fetched`;
  return new HypoError("storage_failed", `${what}: ${messageOf(error).trim()}.`, {
    hint: "Look at the engine, then go on: a run with `hypo resume`, an experiment by hand with the same command.",
    cause: error,
  });
}

/** A recorded execution is never run again; another one under its number is a mistake of the caller. */
function requireSame(stored: ExecutionResult, request: ExecutionRequest): ExecutionResult {
  if (stored.plan_sha256 === request.planSha256 && stored.code_sha256 === request.codeSha256) return stored;
  throw new HypoError("refused", `Execution ${request.execution} of ${request.experiment} is recorded with other code.`, {
    hint: "Run the changed code as the next execution.",
  });
}
