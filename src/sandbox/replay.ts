import { HypoError } from "../domain/errors.ts";
import type { ExecutionResult, TestPlan } from "../domain/experiment.ts";
import { sha256 } from "../domain/hash.ts";
import type { ItemId } from "../domain/ids.ts";
import type { ReplayRecord } from "../domain/replay.ts";
import { isDeciding } from "../domain/standing-execution.ts";
import { carryOut, type CarryOutTools, type ExecutionRecorder } from "./carry-out.ts";
import { compareReplay } from "./compare.ts";
import type { ImageFacts } from "./images.ts";
import { collectInputs, describeInputs, type InputFiles } from "./inputs.ts";
import { replayRunName } from "./labels.ts";
import type { OpenEngine } from "./open-engine.ts";
import { startResult } from "./results.ts";
import type { ExperimentStore } from "./store.ts";

export interface ReplayRequest {
  experiment: ItemId;
  execution: number;
  /** The plan's hash as a journal holds it; undefined where the run's journal is not here, as in a clone. */
  planSha256: string | undefined;
  /** Finds a data file that the experiment's own folder does not keep; its hash is checked here. */
  findData(file: TestPlan["data"][number]): Promise<Uint8Array | undefined>;
  signal: AbortSignal;
  onProgress(message: string): void;
}

interface ReplayTools extends CarryOutTools {
  store: ExperimentStore;
  allowedImages: string[];
}

/** A replay keeps its comparison alone: nothing of it is taken for an execution. */
const NOTHING_KEPT: ExecutionRecorder = {
  begin: () => Promise.resolve(),
  keep: () => Promise.resolve(),
  finish: () => Promise.resolve(),
};

/**
 * Executes a stored execution again: same files by hash, same image by id, a fresh pair of containers.
 *
 * @throws HypoError `replay_impossible`, `docker_unavailable`, `image_unavailable`, `not_found`
 */
export async function replayOnce(tools: ReplayTools, request: ReplayRequest): Promise<ReplayRecord> {
  const { store, clock } = tools;
  const { experiment, execution } = request;
  const original = await requireOriginal(store, experiment, execution);
  const plan = await requirePlan(store, original, request.planSha256 ?? original.plan_sha256);
  const code = await store.code(experiment, execution);
  const data = await collectData(store, plan, request);
  const inputs = collectInputs({ code, data, plan });
  requireSameFiles(original, inputs);
  const again = {
    // Labels of its own: what belongs to the run or the execution leaves a replay alone.
    run: replayRunName(experiment),
    branch: `execution-${execution}`,
    agent: "person",
    call: "replay",
    experiment,
    execution,
    confirmatory: false,
    plan,
    planSha256: original.plan_sha256,
    code: {},
    codeSha256: original.code_sha256,
    command: original.command,
    data,
    signal: request.signal,
    onProgress: (message: string) => request.onProgress(message),
  };
  const replayed = await carryOut(tools, {
    request: again,
    inputs,
    started: startResult(again, inputs, clock.now()),
    findImage: (engine) => requireImage(engine, original, tools.allowedImages, request),
    recorder: NOTHING_KEPT,
  });
  requireRan(replayed);
  return store.saveReplay(makeRecord(plan, original, replayed));
}

function makeRecord(plan: TestPlan, original: ExecutionResult, replayed: ExecutionResult): Omit<ReplayRecord, "replay"> {
  const ending = ({ status, exit_code, outcome }: ExecutionResult): ReplayRecord["original"] => ({ status, exit_code, outcome });
  return {
    v: 1,
    experiment: original.experiment,
    execution: original.execution,
    ...compareReplay(plan, original, replayed),
    plan_sha256: original.plan_sha256,
    code_sha256: original.code_sha256,
    image_id: replayed.image_id ?? "",
    original: ending(original),
    replayed: ending(replayed),
    ...(replayed.metrics_problem === undefined ? {} : { metrics_problem: replayed.metrics_problem }),
    environment: replayed.environment,
    stderr_tail: replayed.stderr_tail === "" ? replayed.stderr_head : replayed.stderr_tail,
    started_at: replayed.started_at,
    ended_at: replayed.ended_at,
  };
}

async function requireOriginal(store: ExperimentStore, experiment: ItemId, execution: number): Promise<ExecutionResult> {
  const original = await store.result(experiment, execution).catch((error: unknown) => {
    if (error instanceof HypoError)
      throw impossible(error.message, "Restore the file from a backup, or replay another execution with --execution.");
    throw error;
  });
  if (original === undefined)
    throw new HypoError("not_found", `${experiment} has no execution ${execution} with a stored result.`, {
      hint: "`hypo experiments show` lists its executions.",
    });
  if (original.image_id === undefined || !isDeciding(original.status))
    throw impossible(
      `Execution ${execution} of ${experiment} is ${original.status}: it never came to an end that could be repeated.`,
      "Replay another execution with --execution.",
    );
  return original;
}

/** The tolerance comes from the plan, so the plan must be the one that was executed. */
async function requirePlan(store: ExperimentStore, { experiment, plan_sha256 }: ExecutionResult, registered: string): Promise<TestPlan> {
  const text = await store.planText(experiment);
  const isFrozen = text !== undefined && sha256(text) === plan_sha256 && plan_sha256 === registered;
  const plan = isFrozen ? await store.plan(experiment) : undefined;
  if (plan !== undefined) return plan;
  throw impossible(
    `The plan of ${experiment} is ${text === undefined ? "gone" : "not the one that was registered"} (frozen as ${registered.slice(0, 12)}).`,
    "Restore its plan.json from version control or a backup.",
  );
}

async function collectData(store: ExperimentStore, plan: TestPlan, request: ReplayRequest): Promise<Record<string, Uint8Array>> {
  const files = await Promise.all(
    plan.data.map(async (file): Promise<[string, Uint8Array]> => {
      const bytes = (await store.keptData(request.experiment, file.sha256)) ?? (await request.findData(file));
      if (bytes !== undefined && sha256(bytes) === file.sha256) return [file.name, bytes];
      const place = file.from === "source" ? "the source store" : `${file.path ?? file.name} in the project`;
      throw impossible(
        `The data file ${file.name} is gone: ${place} ${bytes === undefined ? "no longer has it" : "holds something else now"} (sha256 ${file.sha256}).`,
        "Put the file with this hash back in its place.",
      );
    }),
  );
  return Object.fromEntries(files);
}

function requireSameFiles(original: ExecutionResult, inputs: InputFiles): void {
  const now = new Map(describeInputs(inputs).map(({ path, sha256 }) => [path, sha256]));
  const changed = original.files.find(({ path, sha256 }) => now.get(path) !== sha256)?.path;
  const added = [...now.keys()].find((path) => !original.files.some((file) => file.path === path));
  const first = changed ?? added;
  if (first === undefined) return;
  throw impossible(
    `The stored file ${first} of execution ${original.execution} is ${now.has(first) ? "not what was executed" : "gone"}.`,
    "Restore the execution's source folder from version control or a backup.",
  );
}

/** The very image; a name may stand for another one by now. Only an allowed name is asked of a registry. */
async function requireImage(engine: OpenEngine, original: ExecutionResult, allowed: string[], request: ReplayRequest): Promise<ImageFacts> {
  const { image, image_id: id = "" } = original;
  const found = await engine.images.find(id);
  if (found !== undefined) return found;
  const named = allowed.includes(image)
    ? await engine.images.get(image, request.signal, (message) => request.onProgress(message))
    : undefined;
  if (named?.id === id) return named;
  const instead = named === undefined ? "" : ` ${image} is ${named.id.slice(0, 19)} now.`;
  throw new HypoError(
    "image_unavailable",
    `The image that was used, ${image} (${id.slice(0, 19)}), is no longer on this engine.${instead}`,
    {
      hint: "Load or build exactly this image; a replay never runs on another one.",
    },
  );
}

function requireRan({ status, reason = status }: ExecutionResult): void {
  if (status === "docker_unavailable" || status === "image_unavailable") throw new HypoError(status, reason);
  if (status === "interrupted") throw impossible(`The replay was interrupted: ${reason}.`, "Replay it again.");
  if (status === "cancelled") throw impossible("The replay was cancelled.", "Replay it again.");
}

function impossible(message: string, hint: string): HypoError {
  return new HypoError("replay_impossible", message, { hint });
}
