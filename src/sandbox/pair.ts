import type Docker from "dockerode";
import { HypoError, messageOf } from "../domain/errors.ts";
import type { Clock } from "../domain/ports.ts";
import type { KeepArtifact } from "./artifacts.ts";
import { keeperOptions, namesOf, payloadOptions, WORK, type PairSpec } from "./container-spec.ts";
import { collectEnding, ranFor, STEP_MS, type CollectedEnding, type Interference, type PairEnding } from "./ending.ts";
import { statusOf } from "./engine.ts";
import { packInputs, type InputFiles } from "./inputs.ts";
import { OutputSplitter } from "./output.ts";
import { settleAll, within } from "./within.ts";

/** Output beyond this many bytes ends an experiment. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** The longest all steps before the payload runs may take. */
const PREPARATION_MS = 60_000;
/** The longest to wait for the rest of the output of a payload that is dead, in milliseconds. */
const DRAIN_MS = 2_000;
/** The pause before the engine is asked again when the payload ends, in milliseconds. */
const WAIT_AGAIN_MS = 500;

export interface PairRun {
  docker: Docker;
  clock: Clock;
  signal: AbortSignal;
  spec: PairSpec;
  inputs: InputFiles;
  output: OutputSplitter;
  keep: KeepArtifact;
  /** Resolves when what must be on disk before the payload starts is there. */
  recorded: Promise<void>;
  onStarted(): void;
}

/** Thrown between two steps of the preparation when the caller gave up. */
export class Cancelled extends Error {}

/**
 * Runs the payload beside its keeper and reads what it left. Nothing is removed: the caller stores the result first.
 *
 * @throws whatever the engine says before the payload runs; after that every outcome is a value.
 */
export async function runPair(run: PairRun): Promise<PairEnding> {
  const over = new AbortController();
  try {
    return await runUntilOver({ ...run, over: over.signal });
  } finally {
    // The engine never ends the output of a payload that was made but not started, and may leave any request without an
    // answer: each would keep hypo from ending.
    over.abort();
  }
}

/** A pair at work; what it asks of the engine is given up when it is over. */
interface OpenRun extends PairRun {
  over: AbortSignal;
}

async function runUntilOver(run: OpenRun): Promise<PairEnding> {
  const { keeper, payload, output } = await within(() => preparePair(run), PREPARATION_MS, run.clock);
  await run.recorded;
  stopIfCancelled(run);
  const startProblem = await within(() => startPayload(run, payload), PREPARATION_MS, run.clock);
  if (startProblem !== undefined) run.output.stderr.add(Buffer.from(`${startProblem}\n`));
  run.onStarted();
  const { interference, exitCode } = startProblem === undefined ? await waitForPayload(run, payload) : NEVER_STARTED;
  if (startProblem === undefined) await within(() => output, DRAIN_MS, run.clock).catch(() => undefined);
  if (interference === "cancelled") return { exitCode: null, interference, outOfMemory: false, lost: undefined, artifacts: undefined };
  const ending = await inspectEnding(run, payload, keeper, exitCode);
  const lost = ending.lost ?? (ending.killed && interference === undefined ? "it was killed from outside" : undefined);
  return { ...ending, lost, interference };
}

interface PreparedPair {
  keeper: Docker.Container;
  payload: Docker.Container;
  /** Settles when the payload's output has ended. */
  output: Promise<void>;
}

/** Keeper with the inputs in place, and a payload that only needs to be started. The keeper brings the volumes. */
async function preparePair(run: OpenRun): Promise<PreparedPair> {
  const keeper = await createContainer(run, keeperOptions(run.spec));
  stopIfCancelled(run);
  // The engine makes a payload only beside a keeper that is there, but it need not run yet.
  const [, prepared] = await settleAll([putInputs(run, keeper), preparePayload(run)]);
  return { keeper, ...prepared };
}

/** The client would write all options into the address too, whose length the engine bounds: a long command would be refused. */
async function createContainer({ docker, over }: OpenRun, { name, ...body }: Docker.ContainerCreateOptions): Promise<Docker.Container> {
  const request = { _query: { name }, _body: body, abortSignal: over };
  return docker.createContainer(request);
}

async function putInputs(run: OpenRun, keeper: Docker.Container): Promise<void> {
  await keeper.start({ abortSignal: run.over });
  stopIfCancelled(run);
  await keeper.putArchive(await packInputs(run.inputs), { path: WORK, abortSignal: run.over });
}

/** The payload, created and attached to before it starts: its output is kept nowhere else. */
async function preparePayload(run: OpenRun): Promise<Omit<PreparedPair, "keeper">> {
  const payload = await createContainer(run, payloadOptions(run.spec));
  const stream = await payload.attach({ stream: true, stdout: true, stderr: true, abortSignal: run.over });
  const output = new Promise<void>((resolve) => {
    stream.on("data", (chunk: Buffer) => run.output.push(chunk));
    for (const event of ["end", "close", "error"]) stream.on(event, () => resolve());
  });
  return { payload, output };
}

/** Starts the payload; a command that the image does not have is the experiment's failure, in words, and not the engine's. */
async function startPayload({ over }: OpenRun, payload: Docker.Container): Promise<string | undefined> {
  try {
    await payload.start({ abortSignal: over });
    return undefined;
  } catch (error) {
    if (statusOf(error) !== 400) throw error;
    return `The command cannot be started: ${messageOf(error)
      .replace(/^.*?(?:starting container process caused|unable to start container process): /s, "")
      .replace(/: unknown\s*$/, "")
      .trim()}`;
  }
}

function stopIfCancelled(run: PairRun): void {
  if (run.signal.aborted) throw new Cancelled();
}

const NEVER_STARTED = { interference: undefined, exitCode: null };

async function waitForPayload(
  run: OpenRun,
  payload: Docker.Container,
): Promise<{ interference: Interference | undefined; exitCode: number | null }> {
  // Asked after the start: a wait sent before it can register after a very short life and never return.
  const ended = waitUntilEnded(run, payload);
  const watch = watchForInterference(run);
  try {
    const first = await Promise.race([ended, watch.interference]);
    if (typeof first !== "string") return { interference: undefined, exitCode: first };
    const state = first === "timed_out" ? await stateOf(run, payload) : undefined;
    // It ended in time, and the engine never told.
    if (state?.Running === false && ranFor(state) <= limitMs(run)) return { interference: undefined, exitCode: state.ExitCode };
    await within(() => payload.kill({ signal: "SIGKILL", abortSignal: run.over }), STEP_MS, run.clock).catch(() => undefined);
    const exitCode = await within(() => ended, STEP_MS, run.clock).catch(() => null);
    return { interference: first, exitCode };
  } finally {
    watch.stop();
  }
}

/** Resolves with the exit code when the payload has ended; with null where only its state can tell. A lost connection is no end. */
async function waitUntilEnded(run: OpenRun, payload: Docker.Container): Promise<number | null> {
  for (;;) {
    const answer: { StatusCode?: number } | undefined = await payload.wait({ abortSignal: run.over }).catch(() => undefined);
    if (answer?.StatusCode !== undefined) return answer.StatusCode;
    if (run.over.aborted || (await stateOf(run, payload))?.Running !== true) return null;
    await sleepQuietly(run.clock, WAIT_AGAIN_MS, run.over);
  }
}

/** Undefined where the engine does not say. */
async function stateOf(run: OpenRun, payload: Docker.Container): Promise<Docker.ContainerInspectInfo["State"] | undefined> {
  return within(() => payload.inspect({ abortSignal: run.over }), STEP_MS, run.clock).then(
    ({ State }) => State,
    () => undefined,
  );
}

function limitMs({ spec }: PairRun): number {
  return spec.limits.seconds * 1000;
}

/** Resolves with the first reason to end the payload, if there ever is one. */
function watchForInterference(run: PairRun): { interference: Promise<Interference>; stop(): void } {
  const done = new AbortController();
  const interference = new Promise<Interference>((resolve) => {
    if (run.signal.aborted) resolve("cancelled");
    run.signal.addEventListener("abort", () => resolve("cancelled"), { once: true, signal: done.signal });
    void sleepQuietly(run.clock, limitMs(run), done.signal).then(() => resolve("timed_out"));
    run.output.onTotal = (total) => {
      if (total > OUTPUT_BYTES_MAX) resolve("output_limit");
    };
  });
  return { interference, stop: () => done.abort() };
}

async function sleepQuietly(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms, signal).catch(() => undefined);
}

/**
 * How the payload ended and what it left, from a payload that no longer runs and a keeper that still does.
 *
 * @throws HypoError `storage_failed` where what it left cannot be kept
 */
async function inspectEnding(
  run: OpenRun,
  payload: Docker.Container,
  keeper: Docker.Container,
  exitCode: number | null,
): Promise<CollectedEnding> {
  try {
    const ending = await collectEnding({ ...run, bytesMax: run.spec.limits.output_mb * 1024 * 1024 }, payload, keeper);
    return { ...ending, exitCode: ending.lost === undefined ? (exitCode ?? ending.exitCode) : null };
  } catch (error) {
    if (error instanceof HypoError) throw error;
    return { exitCode: null, outOfMemory: false, killed: false, ranMs: 0, lost: describeLoss(error), artifacts: undefined };
  }
}

function describeLoss(error: unknown): string {
  return statusOf(error) === 404 ? "its containers were removed from outside" : `the engine stopped answering: ${messageOf(error).trim()}`;
}

/**
 * Removes both containers and both volumes, whichever of them exist.
 *
 * @returns false where the engine did not do it: it was away, or refused
 */
export async function removePair(docker: Docker, pair: string, clock: Clock): Promise<boolean> {
  const names = namesOf(pair);
  const remove = async (what: { remove(options: object): Promise<unknown> }): Promise<boolean> =>
    within((givenUp) => what.remove({ force: true, v: true, abortSignal: givenUp }), STEP_MS, clock).then(
      () => true,
      (error: unknown) => statusOf(error) === 404,
    );
  const containers = await Promise.all([remove(docker.getContainer(names.payload)), remove(docker.getContainer(names.keeper))]);
  const volumes = await Promise.all([remove(docker.getVolume(names.out)), remove(docker.getVolume(names.work))]);
  return [...containers, ...volumes].every(Boolean);
}
