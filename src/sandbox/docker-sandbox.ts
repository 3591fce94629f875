import { resolve } from "node:path";
import type Docker from "dockerode";
import type { Config } from "../domain/config.ts";
import { HypoError, messageOf } from "../domain/errors.ts";
import type { ExecutionResult } from "../domain/experiment.ts";
import type { Clock, ExecutionRequest, ExperimentSandbox } from "../domain/ports.ts";
import { createCriteria } from "./criteria.ts";
import { examineEngine, isLocalEngine, openEngine, type EngineFacts } from "./engine.ts";
import { Images, LOCAL_IMAGE } from "./images.ts";
import { collectInputs, type InputFiles } from "./inputs.ts";
import { OutputSplitter } from "./output.ts";
import type { PairEnding } from "./ending.ts";
import { Cancelled, removePair, runPair } from "./pair.ts";
import { prepareExecution, type PreparedExecution } from "./preparation.ts";
import { Reaper } from "./reaper.ts";
import { endWith, endWithout, startResult } from "./results.ts";
import { loadSeccompProfile, type SeccompProfile } from "./seccomp.ts";
import { Slots } from "./slots.ts";
import { ExperimentStore } from "./store.ts";

interface SandboxOptions {
  /** The project's `experiments` folder; made when something is stored. */
  folder: string;
  experiment: Config["experiment"];
  clock: Clock;
  /** The version of hypo, for the record of the environment. */
  version: string;
  /** Where the engine is, as DOCKER_HOST would say it; the environment and the usual sockets where unset. */
  dockerHost?: string | undefined;
  /** The longest the engine may take to say what it is, in milliseconds. */
  engineTimeoutMs?: number | undefined;
}

const ENGINE_TIMEOUT_MS = 10_000;

/** Experiments in containers of a Docker engine. Nothing is connected to before it is needed. */
export function createSandbox(options: SandboxOptions): ExperimentSandbox {
  return new DockerSandbox(options);
}

/** An engine that answered, with what is kept between experiments. */
interface OpenEngine {
  docker: Docker;
  images: Images;
  reaper: Reaper;
  seccomp: SeccompProfile;
}

class DockerSandbox implements ExperimentSandbox {
  private readonly options: SandboxOptions;
  private readonly store: ExperimentStore;
  private readonly slots: Slots;
  private readonly criteria = createCriteria();
  private opened: Promise<OpenEngine> | undefined;

  constructor(options: SandboxOptions) {
    this.options = options;
    this.store = new ExperimentStore(resolve(options.folder));
    this.slots = new Slots(options.experiment.concurrency);
  }

  async available(): ReturnType<ExperimentSandbox["available"]> {
    try {
      const { docker } = await this.open();
      const facts = await this.examine(docker);
      return { ok: true, detail: `Docker ${facts.version} with ${facts.runtime}` };
    } catch (error) {
      if (!(error instanceof HypoError)) throw error;
      return { ok: false, reason: error.message, hint: error.hint ?? "" };
    }
  }

  async defaultImage(): Promise<string> {
    const configured = this.options.experiment.image;
    try {
      const { docker, images } = await this.open();
      await this.examine(docker);
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

  async result(...key: Parameters<ExperimentSandbox["result"]>): Promise<ExecutionResult | undefined> {
    return this.store.result(...key);
  }

  async execute(request: ExecutionRequest): Promise<ExecutionResult> {
    const inputs = collectInputs(request);
    await this.store.savePlan(request.experiment, request.plan, request.planSha256);
    const stored = await this.store.result(request.experiment, request.execution);
    if (stored !== undefined) return requireSame(stored, request);
    const started = startResult(request, inputs, this.options.clock.now());
    const release = await this.slots.take(request.signal);
    if (release === undefined)
      return this.storeEnd(request, started, endWithout(started, "cancelled", "it was cancelled before it ran", this.options.clock.now()));
    try {
      return await this.executeNow(request, inputs, started);
    } finally {
      release();
    }
  }

  async reconcile(key: Parameters<ExperimentSandbox["reconcile"]>[0]): Promise<ExecutionResult | undefined> {
    const stored = await this.store.result(key.experiment, key.execution);
    const reaper = await this.reach();
    // What cannot be settled now is reaped at a later use of the engine.
    await reaper?.settle(key).catch(() => undefined);
    if (stored !== undefined) return stored;
    return this.store.result(key.experiment, key.execution);
  }

  async abandon(...which: Parameters<ExperimentSandbox["abandon"]>): Promise<void> {
    const reaper = await this.reach();
    // Without an engine nothing runs; what an unreachable one still holds ends at its deadline.
    await reaper?.abandon(...which);
  }

  /** The reaper of an engine that answers. */
  private async reach(): Promise<Reaper | undefined> {
    try {
      const { docker, reaper } = await this.open();
      await this.examine(docker);
      return reaper;
    } catch (error) {
      if (error instanceof HypoError && error.code === "docker_unavailable") return undefined;
      throw error;
    }
  }

  private async executeNow(request: ExecutionRequest, inputs: InputFiles, started: ExecutionResult): Promise<ExecutionResult> {
    const { clock } = this.options;
    const prepared = await this.prepare(request, inputs).catch((error: unknown) => this.describeFailure(request, started, error));
    if ("status" in prepared) return this.storeEnd(request, started, prepared);
    const { engine, spec, environment, image } = prepared;
    const known = { ...started, image_id: image.id, environment };
    const output = new OutputSplitter();
    await this.store.begin(known, codeOf(inputs));
    engine.reaper.protect(spec.pair);
    let running = false;
    try {
      const ending = await runPair({
        docker: engine.docker,
        clock,
        signal: request.signal,
        spec,
        inputs,
        output,
        keep: (path, bytes) => this.store.keepArtifact(request.experiment, request.execution, path, bytes),
        onStarted: () => {
          running = true;
          request.onProgress("the experiment is running");
        },
      });
      return await this.storeResult(known, ending, output, request);
    } catch (error) {
      if (error instanceof HypoError && error.code === "storage_failed") throw error;
      const end = running
        ? endWithout(known, "interrupted", messageOf(error).trim(), clock.now())
        : this.describeFailure(request, known, error);
      await this.store.finish(end, logsOf(output));
      return end;
    } finally {
      await removePair(engine.docker, spec.pair, clock);
      engine.reaper.release(spec.pair);
      await engine.reaper.reap().catch(() => undefined);
    }
  }

  private async prepare(request: ExecutionRequest, inputs: InputFiles): Promise<PreparedExecution & { engine: OpenEngine }> {
    requireAllowed(request.plan.image, this.allowedImages());
    const engine = await this.open();
    const facts = await this.examine(engine.docker);
    const image = await engine.images.get(request.plan.image, request.signal, (message) => request.onProgress(message));
    const { experiment, version, clock } = this.options;
    const found = { facts, image, seccomp: engine.seccomp, isLocal: isLocalEngine(engine.docker) };
    const prepared = await prepareExecution(request, inputs, found, { experiment, version, now: clock.now(), folder: this.store.folder });
    return { engine, ...prepared };
  }

  private describeFailure(request: ExecutionRequest, started: ExecutionResult, error: unknown): ExecutionResult {
    const now = this.options.clock.now();
    if (error instanceof Cancelled || request.signal.aborted)
      return endWithout(started, "cancelled", "it was cancelled before it ran", now);
    const reason =
      error instanceof HypoError ? [error.message, error.hint].filter((part) => part !== undefined).join(" ") : messageOf(error).trim();
    const status = error instanceof HypoError && error.code === "image_unavailable" ? "image_unavailable" : "docker_unavailable";
    return endWithout(started, status, reason, now);
  }

  private async storeResult(
    known: ExecutionResult,
    ending: PairEnding,
    output: OutputSplitter,
    request: ExecutionRequest,
  ): Promise<ExecutionResult> {
    const result = endWith(known, ending, output, { plan: request.plan, criteria: this.criteria }, this.options.clock.now());
    await this.store.finish(result, logsOf(output));
    return result;
  }

  /** The end of an execution that made no container. */
  private async storeEnd(request: ExecutionRequest, started: ExecutionResult, end: ExecutionResult): Promise<ExecutionResult> {
    await this.store.begin(started, codeOf(collectInputs(request)));
    await this.store.finish(end, logsOf(new OutputSplitter()));
    return end;
  }

  /** Opened once; the first use clears away what dead processes left. */
  private async open(): Promise<OpenEngine> {
    this.opened ??= (async (): Promise<OpenEngine> => {
      const { clock, dockerHost } = this.options;
      const [docker, seccomp] = await Promise.all([openEngine(dockerHost), loadSeccompProfile()]);
      const reaper = new Reaper({ docker, clock, store: this.store, criteria: this.criteria });
      return { docker, images: new Images(docker, clock), reaper, seccomp };
    })();
    return this.opened;
  }

  private async examine(docker: Docker): Promise<EngineFacts> {
    const facts = await examineEngine(
      docker,
      this.options.experiment.runtime,
      this.options.clock,
      this.options.engineTimeoutMs ?? ENGINE_TIMEOUT_MS,
    );
    const { reaper } = await this.open();
    await reaper.reapOnce();
    return facts;
  }
}

function requireAllowed(image: string, allowed: string[]): void {
  if (allowed.includes(image)) return;
  throw new HypoError("image_unavailable", `The image ${image} is not among the allowed ones: ${allowed.join(", ")}.`, {
    hint: "Name an allowed image in the plan, or add this one to experiment.images.",
  });
}

/** A recorded execution is never run again; another one under its number is a mistake of the caller. */
function requireSame(stored: ExecutionResult, request: ExecutionRequest): ExecutionResult {
  if (stored.plan_sha256 === request.planSha256 && stored.code_sha256 === request.codeSha256) return stored;
  throw new HypoError("refused", `Execution ${request.execution} of ${request.experiment} is recorded with other code.`, {
    hint: "Run the changed code as the next execution.",
  });
}

function codeOf(inputs: InputFiles): InputFiles {
  return new Map([...inputs].filter(([path]) => path !== "plan.json" && !path.startsWith("data/")));
}

function logsOf(output: OutputSplitter): { stdout: Uint8Array; stderr: Uint8Array } {
  return { stdout: output.stdout.log(), stderr: output.stderr.log() };
}
