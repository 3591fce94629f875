import type Docker from "dockerode";
import type { RunId } from "../domain/ids.ts";
import type { Clock } from "../domain/ports.ts";
import { isOwnerAlive, LABEL, type Labels } from "./labels.ts";
import { within } from "./within.ts";

/** The longest the engine may take to list what it has, in milliseconds. */
const LIST_MS = 20_000;

/** The containers and volumes of one execution, as the engine lists them. */
export interface Leftover {
  pair: string;
  labels: Labels;
  keeper: { id: string; running: boolean } | undefined;
  payload: { id: string; running: boolean; started: boolean } | undefined;
}

/** All pairs on the engine, or those of one run. */
export async function listLeftovers(docker: Docker, clock: Clock, run?: RunId): Promise<Leftover[]> {
  const filters = { label: [run === undefined ? LABEL.run : `${LABEL.run}=${run}`] };
  const [containers, volumes] = await within(
    (abortSignal) =>
      Promise.all([docker.listContainers({ all: true, filters, abortSignal }), docker.listVolumes({ filters, abortSignal })]),
    LIST_MS,
    clock,
  );
  const found = new Map<string, Leftover>();
  const leftoverOf = (labels: Labels): Leftover | undefined => {
    const pair = labels[LABEL.pair];
    if (pair === undefined) return undefined;
    const leftover = found.get(pair) ?? { pair, labels, keeper: undefined, payload: undefined };
    found.set(pair, leftover);
    return leftover;
  };
  for (const container of containers) {
    const leftover = leftoverOf(container.Labels);
    const running = container.State === "running" || container.State === "paused";
    const part = { id: container.Id, running, started: container.State !== "created" };
    if (leftover !== undefined && container.Labels[LABEL.role] === "keeper") leftover.keeper = part;
    if (leftover !== undefined && container.Labels[LABEL.role] === "payload") leftover.payload = part;
  }
  for (const volume of volumes.Volumes ?? []) leftoverOf(volume.Labels ?? {});
  return [...found.values()];
}

/**
 * Whether nobody can be waiting for a pair any more: its process is dead. The deadline decides only where that cannot
 * be told, since a clock that jumps must not end what a living process waits for.
 */
export function isAbandoned(labels: Labels, now: Date): boolean {
  const alive = isOwnerAlive(labels[LABEL.owner]);
  return alive === undefined ? isOverdue(labels, now) : !alive;
}

export function isOverdue(labels: Labels, now: Date): boolean {
  return Number(labels[LABEL.deadline] ?? 0) * 1000 < now.getTime();
}

/** True for a payload that ended while its keeper still shows what it left. */
export function canBeSalvaged(leftover: Leftover): boolean {
  return leftover.keeper?.running === true && leftover.payload !== undefined && leftover.payload.started && !leftover.payload.running;
}
