import { randomBytes, randomInt } from "node:crypto";
import { resolve } from "node:path";
import type Docker from "dockerode";
import type { Config } from "../domain/config.ts";
import { HypoError, messageOf } from "../domain/errors.ts";
import type { ExecutionResult } from "../domain/experiment.ts";
import type { Clock, ExecutionRequest, ExperimentSandbox } from "../domain/ports.ts";
import { boundLimits, environmentFor, type PairSpec } from "./container-spec.ts";
import { createCriteria } from "./criteria.ts";
import { examineEngine, openEngine, type EngineFacts } from "./engine.ts";
import { describeEnvironment } from "./environment.ts";
import { Images, LOCAL_IMAGE, type ImageFacts } from "./images.ts";
import { collectInputs, countEntries, type InputFiles } from "./inputs.ts";
import { labelsFor, ownerLabel } from "./labels.ts";
import { OutputSplitter } from "./output.ts";
import { Cancelled, removePair, runPair, type PairEnding } from "./pair.ts";
import { Reaper } from "./reaper.ts";
import { endWith, endWithout, startResult } from "./results.ts";
import { loadSeccompProfile, type SeccompProfile } from "./seccomp.ts";
import { Slots } from "./slots.ts";
import { ExperimentStore } from "./store.ts";

export interface SandboxOptions {
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
/** How long after its time limit an experiment's containers may still be needed, in seconds. */
const DEADLINE_GRACE_SECONDS = 120;

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
    const engine = await this.open().catch(() => undefined);
    await engine?.reaper.settle(key).catch(() => undefined);
    return this.store.result(key.experiment, key.execution);
  }

  async abandon(...which: Parameters<ExperimentSandbox["abandon"]>): Promise<void> {
    const { docker, reaper } = await this.open();
    await this.examine(docker);
    await reaper.abandon(...which);
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

  /** Everything that has to be known before a container is made. */
  private async prepare(
    request: ExecutionRequest,
    inputs: InputFiles,
  ): Promise<{ engine: OpenEngine; spec: PairSpec; image: ImageFacts; environment: ExecutionResult["environment"] }> {
    if (!this.allowedImages().includes(request.plan.image))
      throw new HypoError(
        "image_unavailable",
        `The image ${request.plan.image} is not among the allowed ones: ${this.allowedImages().join(", ")}.`,
        {
          hint: "Name an allowed image in the plan, or add this one to experiment.images.",
        },
      );
    const engine = await this.open();
    const facts = await this.examine(engine.docker);
    const image = await engine.images.get(request.plan.image, request.signal, (message) => request.onProgress(message));
    const spec = this.specFor(request, inputs, { facts, image, seccomp: engine.seccomp });
    const environment = await describeEnvironment({
      engine: facts,
      image,
      spec,
      seccompSha256: engine.seccomp.sha256,
      version: this.options.version,
      isLocal: "socketPath" in engine.docker.modem && engine.docker.modem.socketPath !== undefined,
    });
    return { engine, spec, image, environment };
  }

  private specFor(
    request: ExecutionRequest,
    inputs: InputFiles,
    found: { facts: EngineFacts; image: ImageFacts; seccomp: SeccompProfile },
  ): PairSpec {
    const { experiment, clock } = this.options;
    const limits = boundLimits(request.plan.limits, experiment, found.facts);
    const pair = randomBytes(6).toString("hex");
    const deadline = Math.ceil(clock.now().getTime() / 1000 + limits.seconds) + DEADLINE_GRACE_SECONDS;
    return {
      pair,
      labels: labelsFor(request, { pair, folder: this.store.folder, owner: ownerLabel(), deadline }),
      image: found.image.id,
      command: request.command,
      env: mergeEnvironment(found.image.env, environmentFor(request.plan)),
      limits,
      uid: randomInt(10_000, 60_000),
      runtime: experiment.runtime,
      seccomp: found.seccomp.text,
      input: { bytes: [...inputs.values()].reduce((sum, bytes) => sum + bytes.length, 0), entries: countEntries(inputs) },
    };
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

/** The image's environment with ours over it, as the program sees it. */
function mergeEnvironment(image: string[], ours: string[]): string[] {
  const byName = new Map([...image, ...ours].map((entry) => [entry.split("=", 1)[0] ?? entry, entry]));
  return [...byName.values()];
}
