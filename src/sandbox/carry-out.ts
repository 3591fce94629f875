import type { Config } from "../domain/config.ts";
import { HypoError, messageOf } from "../domain/errors.ts";
import type { ExecutionResult } from "../domain/experiment.ts";
import type { Clock, Criteria, ExecutionRequest } from "../domain/ports.ts";
import type { KeepArtifact } from "./artifacts.ts";
import { explainUnreachable } from "./engine.ts";
import type { ImageFacts } from "./images.ts";
import type { InputFiles } from "./inputs.ts";
import type { EngineAccess, OpenEngine } from "./open-engine.ts";
import { OutputSplitter } from "./output.ts";
import { Cancelled, runPair } from "./pair.ts";
import { prepareExecution, type PreparedExecution } from "./preparation.ts";
import { endWith, endWithout } from "./results.ts";

/** Where what an execution says and leaves is put. */
export interface ExecutionRecorder {
  /** Called once, with the result as far as it is known before the payload starts. */
  begin(known: ExecutionResult): Promise<void>;
  keep: KeepArtifact;
  /** Called once, before the containers are removed. */
  finish(result: ExecutionResult, logs: { stdout: Uint8Array; stderr: Uint8Array }): Promise<void>;
}

export interface CarryOutTools {
  access: EngineAccess;
  criteria: Criteria;
  clock: Clock;
  experiment: Config["experiment"];
  version: string;
  /** The experiments folder, for the labels. */
  folder: string;
}

export interface CarryOutJob {
  request: ExecutionRequest;
  inputs: InputFiles;
  started: ExecutionResult;
  findImage(engine: OpenEngine): Promise<ImageFacts>;
  recorder: ExecutionRecorder;
}

/**
 * Runs a plan once in containers of its own and removes them. Whatever happens is a result.
 *
 * @throws HypoError `storage_failed` where the result cannot be kept.
 */
export async function carryOut(tools: CarryOutTools, job: CarryOutJob): Promise<ExecutionResult> {
  const prepared = await prepare(tools, job).catch((error: unknown) => describeFailure(tools, job, job.started, error));
  if ("status" in prepared) return endUnstarted(job, prepared);
  const { engine, spec, environment, image } = prepared;
  const { clock, criteria } = tools;
  const { request, inputs, recorder } = job;
  const known = { ...job.started, image_id: image.id, environment };
  const output = new OutputSplitter();
  const recorded = recorder.begin(known);
  recorded.catch(() => undefined);
  engine.reaper.protect(spec.pair);
  let running = false;
  const onStarted = (): void => {
    running = true;
    request.onProgress("the experiment is running");
  };
  try {
    const { docker } = engine;
    const { signal } = request;
    const ending = await runPair({ docker, clock, signal, spec, inputs, output, keep: recorder.keep, recorded, onStarted });
    const result = endWith(known, ending, output, { plan: request.plan, criteria }, clock.now());
    await recorder.finish(result, logsOf(output));
    return result;
  } catch (error) {
    if (error instanceof HypoError && error.code === "storage_failed") throw error;
    const end = running
      ? endWithout(known, "interrupted", messageOf(error).trim(), clock.now())
      : describeFailure(tools, job, known, error);
    await recorded;
    await recorder.finish(end, logsOf(output));
    return end;
  } finally {
    await Promise.all([engine.reaper.release(spec.pair), engine.reaper.reap().catch(() => undefined)]);
  }
}

/** Keeps the end of an execution that made no container. */
export async function endUnstarted({ started, recorder }: Pick<CarryOutJob, "started" | "recorder">, end: ExecutionResult) {
  await recorder.begin(started);
  await recorder.finish(end, logsOf(new OutputSplitter()));
  return end;
}

async function prepare(tools: CarryOutTools, job: CarryOutJob): Promise<PreparedExecution & { engine: OpenEngine }> {
  const { engine, facts } = await tools.access.use();
  const image = await job.findImage(engine);
  const { experiment, version, clock, folder } = tools;
  const found = { facts, image, seccomp: engine.seccomp };
  return { engine, ...prepareExecution(job.request, job.inputs, found, { experiment, version, now: clock.now(), folder }) };
}

function describeFailure({ clock }: CarryOutTools, { request }: CarryOutJob, started: ExecutionResult, thrown: unknown): ExecutionResult {
  const now = clock.now();
  const error = explainUnreachable(thrown);
  if (error instanceof Cancelled || request.signal.aborted) return endWithout(started, "cancelled", "it was cancelled before it ran", now);
  const reason =
    error instanceof HypoError ? [error.message, error.hint].filter((part) => part !== undefined).join(" ") : messageOf(error).trim();
  const status = error instanceof HypoError && error.code === "image_unavailable" ? "image_unavailable" : "docker_unavailable";
  return endWithout(started, status, reason, now);
}

function logsOf(output: OutputSplitter): { stdout: Uint8Array; stderr: Uint8Array } {
  return { stdout: output.stdout.log(), stderr: output.stderr.log() };
}
