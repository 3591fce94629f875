import type Docker from "dockerode";
import { messageOf } from "../domain/errors.ts";
import type { Clock } from "../domain/ports.ts";
import { readArtifacts, type Artifacts, type KeepArtifact } from "./artifacts.ts";
import { keeperOptions, namesOf, OUT, outVolume, payloadOptions, WORK, workVolume, type PairSpec } from "./container-spec.ts";
import { statusOf } from "./engine.ts";
import { packInputs, type InputFiles } from "./inputs.ts";
import { OutputSplitter } from "./output.ts";
import { within } from "./within.ts";

/** Output beyond this many bytes ends an experiment. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** The longest the engine may take for one step once the payload runs, in milliseconds. */
const STEP_MS = 20_000;
/** The longest to wait for the rest of the output of a payload that is dead, in milliseconds. */
const DRAIN_MS = 2_000;

/** Why the payload was ended before it ended itself. */
export type Interference = "timed_out" | "output_limit" | "cancelled";

export interface PairEnding {
  exitCode: number | null;
  interference: Interference | undefined;
  outOfMemory: boolean;
  /** Why nobody can tell how it ended: containers removed or stopped by somebody else, an engine that went away. */
  lost: string | undefined;
  artifacts: Artifacts | undefined;
}

export interface PairRun {
  docker: Docker;
  clock: Clock;
  signal: AbortSignal;
  spec: PairSpec;
  inputs: InputFiles;
  output: OutputSplitter;
  keep: KeepArtifact;
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
  const keeper = await prepareKeeper(run);
  const { payload, output } = await preparePayload(run, keeper);
  stopIfCancelled(run);
  await payload.start();
  run.onStarted();
  const { interference, exitCode } = await waitForPayload(run, payload);
  await within(output, DRAIN_MS, run.clock).catch(() => undefined);
  if (interference === "cancelled") return { exitCode: null, interference, outOfMemory: false, lost: undefined, artifacts: undefined };
  const ending = await inspectEnding(run, payload, keeper, exitCode);
  const lost = ending.lost ?? (ending.killed && interference === undefined ? "it was killed from outside" : undefined);
  return { ...ending, lost, interference };
}

/** Both volumes and the keeper that shows them, with the inputs in place. */
async function prepareKeeper(run: PairRun): Promise<Docker.Container> {
  const { docker, spec } = run;
  await Promise.all([docker.createVolume(outVolume(spec)), docker.createVolume(workVolume(spec))]);
  stopIfCancelled(run);
  const keeper = await docker.createContainer(keeperOptions(spec));
  stopIfCancelled(run);
  await keeper.start();
  await keeper.putArchive(packInputs(run.inputs), { path: WORK });
  stopIfCancelled(run);
  return keeper;
}

/** The payload, created and attached to before it starts, since its output is kept nowhere else. */
async function preparePayload(run: PairRun, keeper: Docker.Container): Promise<{ payload: Docker.Container; output: Promise<void> }> {
  const payload = await run.docker.createContainer(payloadOptions(run.spec, keeper.id));
  const stream = await payload.attach({ stream: true, stdout: true, stderr: true });
  const output = new Promise<void>((resolve) => {
    stream.on("data", (chunk: Buffer) => run.output.push(chunk));
    for (const event of ["end", "close", "error"]) stream.on(event, () => resolve());
  });
  return { payload, output };
}

function stopIfCancelled(run: PairRun): void {
  if (run.signal.aborted) throw new Cancelled();
}

async function waitForPayload(
  run: PairRun,
  payload: Docker.Container,
): Promise<{ interference: Interference | undefined; exitCode: number | null }> {
  // Asked after the start: a wait sent before it can register after a very short life and never return.
  const ended = payload.wait().then(
    ({ StatusCode }: { StatusCode: number }): number | null => StatusCode,
    (): null => null,
  );
  const watch = watchForInterference(run);
  try {
    const first = await Promise.race([ended, watch.interference]);
    if (typeof first !== "string") return { interference: undefined, exitCode: first };
    await within(payload.kill({ signal: "SIGKILL" }), STEP_MS, run.clock).catch(() => undefined);
    const exitCode = await within(ended, STEP_MS, run.clock).catch(() => null);
    return { interference: first, exitCode };
  } finally {
    watch.stop();
  }
}

/** Resolves with the first reason to end the payload, if there ever is one. */
function watchForInterference(run: PairRun): { interference: Promise<Interference>; stop(): void } {
  const done = new AbortController();
  const interference = new Promise<Interference>((resolve) => {
    if (run.signal.aborted) resolve("cancelled");
    run.signal.addEventListener("abort", () => resolve("cancelled"), { once: true, signal: done.signal });
    void sleepQuietly(run.clock, run.spec.limits.seconds * 1000, done.signal).then(() => resolve("timed_out"));
    run.output.onTotal = (total) => {
      if (total > OUTPUT_BYTES_MAX) resolve("output_limit");
    };
  });
  return { interference, stop: () => done.abort() };
}

async function sleepQuietly(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms, signal).catch(() => undefined);
}

/** How the payload ended and what it left, from a payload that no longer runs and a keeper that still does. */
async function inspectEnding(
  run: Pick<PairRun, "docker" | "clock" | "keep" | "spec">,
  payload: Docker.Container,
  keeper: Docker.Container,
  exitCode: number | null,
): Promise<CollectedEnding> {
  try {
    const ending = await collectEnding({ ...run, bytesMax: run.spec.limits.output_mb * 1024 * 1024 }, payload, keeper);
    return { ...ending, exitCode: ending.lost === undefined ? (exitCode ?? ending.exitCode) : null };
  } catch (error) {
    return { exitCode: null, outOfMemory: false, killed: false, lost: describeLoss(error), artifacts: undefined };
  }
}

/** What two containers say of an ending. `killed` is true when the engine was asked to kill the payload, by whomever. */
export type CollectedEnding = Omit<PairEnding, "interference"> & { killed: boolean };

/** Also what salvages the pair of a process that died: needs nothing but the two containers. */
export async function collectEnding(
  run: { docker: Docker; clock: Clock; keep: KeepArtifact; bytesMax: number },
  payload: Docker.Container,
  keeper: Docker.Container,
): Promise<CollectedEnding> {
  const [state, keeperState] = await within(Promise.all([payload.inspect(), keeper.inspect()]), STEP_MS, run.clock);
  const events = await within(pastEvents(run.docker, payload.id, state.Created, run.clock), STEP_MS, run.clock).catch(() => new Set());
  const outOfMemory = state.State.OOMKilled || events.has("oom");
  const killed = events.has("kill");
  const running = keeperState.State.Running;
  return {
    exitCode: running ? state.State.ExitCode : null,
    outOfMemory,
    killed,
    lost: running ? undefined : "its keeper was stopped from outside",
    artifacts: running ? await collectArtifacts(run, keeper) : undefined,
  };
}

async function collectArtifacts(run: { keep: KeepArtifact; bytesMax: number }, keeper: Docker.Container): Promise<Artifacts> {
  const artifacts = await readArtifacts(await keeper.getArchive({ path: `${OUT}/.` }), run.bytesMax, run.keep);
  if (artifacts.cut === undefined || artifacts.files.some(({ path }) => path === "metrics.json")) return artifacts;
  // The reading ended before it came to metrics.json; asked for alone it is as good as ever.
  const alone = await keeper.getArchive({ path: `${OUT}/metrics.json` }).catch(() => undefined);
  if (alone === undefined) return artifacts;
  const metrics = await readArtifacts(alone, run.bytesMax, run.keep);
  return {
    ...artifacts,
    metrics: metrics.metrics,
    files: [...artifacts.files, ...metrics.files].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** What the engine remembers of a container: its state alone can miss a child that ran out of memory. */
async function pastEvents(docker: Docker, container: string, createdAt: string, clock: Clock): Promise<Set<string>> {
  const seconds = (ms: number): number => Math.round(ms) / 1000;
  const stream: NodeJS.ReadableStream = await docker.getEvents({
    since: seconds(Date.parse(createdAt) - 1000),
    until: seconds(clock.now().getTime()),
    filters: { container: [container], event: ["oom", "kill"] },
  });
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return new Set(["oom", "kill"].filter((action) => text.includes(`"Action":"${action}"`)));
}

function describeLoss(error: unknown): string {
  return statusOf(error) === 404 ? "its containers were removed from outside" : `the engine stopped answering: ${messageOf(error).trim()}`;
}

/** Removes both containers and both volumes, whichever of them exist; the engine's refusals are left to the reaper. */
export async function removePair(docker: Docker, pair: string, clock: Clock): Promise<void> {
  const names = namesOf(pair);
  const remove = async (what: { remove(options: object): Promise<unknown> }): Promise<void> => {
    await within(what.remove({ force: true, v: true }), STEP_MS, clock).catch(() => undefined);
  };
  await Promise.all([remove(docker.getContainer(names.payload)), remove(docker.getContainer(names.keeper))]);
  await Promise.all([remove(docker.getVolume(names.out)), remove(docker.getVolume(names.work))]);
}
