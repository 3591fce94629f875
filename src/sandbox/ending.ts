import type Docker from "dockerode";
import type { Clock } from "../domain/ports.ts";
import { readArtifacts, type Artifacts, type KeepArtifact } from "./artifacts.ts";
import { OUT } from "./container-spec.ts";
import { statusOf } from "./engine.ts";
import { settleAll, within } from "./within.ts";

/** The longest the engine may take for one step once the payload runs, in milliseconds. */
export const STEP_MS = 20_000;

/** The longest to read what it left; the engine holds the volume for as long as it is read. */
const ARTIFACTS_MS = 300_000;

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

/** What two containers say of an ending. `killed` is true when the engine was asked to kill the payload, by whomever. */
export type CollectedEnding = Omit<PairEnding, "interference"> & {
  killed: boolean;
  /** How long the payload ran by the engine's own clock, in milliseconds. */
  ranMs: number;
};

interface Collecting {
  docker: Docker;
  clock: Clock;
  keep: KeepArtifact;
  bytesMax: number;
}

/**
 * Also what salvages the pair of a process that died: needs nothing but the two containers.
 *
 * @throws HypoError `storage_failed` where an artefact cannot be kept; whatever the engine says
 */
export async function collectEnding(run: Collecting, payload: Docker.Container, keeper: Docker.Container): Promise<CollectedEnding> {
  const [{ state, events }, artifacts] = await settleAll([
    within((givenUp) => inspectPayload(run, payload, givenUp), STEP_MS, run.clock),
    within((givenUp) => collectArtifacts(run, keeper, givenUp), ARTIFACTS_MS, run.clock),
  ]);
  // Asked last: a keeper that still runs did so while its volume was read, and without it the volume is empty.
  const kept = await within((abortSignal) => keeper.inspect({ abortSignal }), STEP_MS, run.clock);
  const { Running: isKept } = kept.State;
  // The engine says of a payload that runs that its exit code is 0.
  const lost = state.Running ? "the engine no longer told when it ends" : isKept ? undefined : "its keeper was stopped from outside";
  return {
    exitCode: lost === undefined ? state.ExitCode : null,
    outOfMemory: state.OOMKilled || events.has("oom"),
    killed: events.has("kill"),
    ranMs: ranFor(state),
    lost,
    artifacts: lost === undefined ? artifacts : undefined,
  };
}

/** How long a payload that has ended ran, by the engine's own clock, in milliseconds. */
export function ranFor({ StartedAt, FinishedAt }: Pick<Docker.ContainerInspectInfo["State"], "StartedAt" | "FinishedAt">): number {
  return Date.parse(FinishedAt) - Date.parse(StartedAt);
}

async function inspectPayload(
  { docker }: Collecting,
  payload: Docker.Container,
  abortSignal: AbortSignal,
): Promise<{ state: Docker.ContainerInspectInfo["State"]; events: Set<string> }> {
  const inspected = await payload.inspect({ abortSignal });
  const events = await pastEvents(docker, payload.id, inspected, abortSignal).catch(() => new Set<string>());
  return { state: inspected.State, events };
}

async function collectArtifacts(run: Collecting, keeper: Docker.Container, abortSignal: AbortSignal): Promise<Artifacts> {
  const artifacts = await readArtifacts(await keeper.getArchive({ path: `${OUT}/.`, abortSignal }), run.bytesMax, run.keep);
  if (artifacts.cut === undefined || artifacts.files.some(({ path }) => path === "metrics.json")) return artifacts;
  // The reading ended before it came to metrics.json; asked for alone it is as good as ever.
  const alone = await keeper.getArchive({ path: `${OUT}/metrics.json`, abortSignal }).catch((error: unknown) => {
    if (statusOf(error) === 404) return undefined;
    throw error;
  });
  if (alone === undefined) return artifacts;
  const metrics = await readArtifacts(alone, run.bytesMax, run.keep);
  return {
    ...artifacts,
    metrics: metrics.metrics,
    files: [...artifacts.files, ...metrics.files].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** How much later than an end by a signal the engine may note who sent it, in milliseconds. */
const KILL_NOTED_MS = 200;

/**
 * What the engine remembers of a container: its state alone can miss a child that ran out of memory. Asked for by the
 * engine's own times, whatever the clock of this machine says.
 */
async function pastEvents(
  docker: Docker,
  container: string,
  { Created, State }: Docker.ContainerInspectInfo,
  abortSignal: AbortSignal,
): Promise<Set<string>> {
  const until = Date.parse(State.FinishedAt) + (State.ExitCode > 128 ? KILL_NOTED_MS : 1);
  const stream: NodeJS.ReadableStream = await docker.getEvents({
    since: Math.floor(Date.parse(Created) / 1000) - 1,
    until: Math.ceil(until) / 1000,
    filters: { container: [container], event: ["oom", "kill"] },
    abortSignal,
  });
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return new Set(["oom", "kill"].filter((action) => text.includes(`"Action":"${action}"`)));
}
