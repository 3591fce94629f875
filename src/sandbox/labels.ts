import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { CallId, ItemId, RunId } from "../domain/ids.ts";
import { systemCodeOf } from "../domain/errors.ts";

/** Names of the labels that tie a container or volume to what it was made for. */
export const LABEL = {
  run: "dev.hypo.run",
  branch: "dev.hypo.branch",
  call: "dev.hypo.call",
  experiment: "dev.hypo.experiment",
  execution: "dev.hypo.execution",
  /** Seconds since 1970 after which nobody can still need it. */
  deadline: "dev.hypo.deadline",
  /** `<pid>:<start time>@<host>` of the process that made it. */
  owner: "dev.hypo.owner",
  /** Hash of the experiments folder that the result belongs to. */
  folder: "dev.hypo.folder",
  pair: "dev.hypo.pair",
  role: "dev.hypo.role",
} as const;

export type Labels = Record<string, string>;

export interface LabelledExecution {
  run: RunId;
  branch: string;
  call: CallId;
  experiment: ItemId;
  execution: number;
}

export function labelsFor(execution: LabelledExecution, rest: { pair: string; folder: string; owner: string; deadline: number }): Labels {
  return {
    [LABEL.run]: execution.run,
    [LABEL.branch]: execution.branch,
    [LABEL.call]: execution.call,
    [LABEL.experiment]: execution.experiment,
    [LABEL.execution]: String(execution.execution),
    [LABEL.deadline]: String(rest.deadline),
    [LABEL.owner]: rest.owner,
    [LABEL.folder]: folderLabel(rest.folder),
    [LABEL.pair]: rest.pair,
  };
}

export function matchesExecution(labels: Labels, execution: LabelledExecution): boolean {
  return (
    labels[LABEL.run] === execution.run &&
    labels[LABEL.branch] === execution.branch &&
    labels[LABEL.call] === execution.call &&
    labels[LABEL.experiment] === execution.experiment &&
    labels[LABEL.execution] === String(execution.execution)
  );
}

/** Runs by this name are replays: they share an execution's number, and nothing of theirs is its result. */
const REPLAY_PREFIX = "replay-";

export function replayRunName(experiment: ItemId): string {
  return `${REPLAY_PREFIX}${experiment}`;
}

export function isReplay(labels: Labels): boolean {
  return labels[LABEL.run]?.startsWith(REPLAY_PREFIX) === true;
}

export function folderLabel(folder: string): string {
  return createHash("sha256").update(folder).digest("hex").slice(0, 16);
}

/** This process, so that another one can tell whether it still lives. */
export function ownerLabel(): string {
  return `${process.pid}:${startTimeOf(process.pid) ?? "0"}@${hostIdentity()}`;
}

/** Whether the process that an owner label names still lives; undefined where it cannot be told from here. */
export function isOwnerAlive(owner: string | undefined): boolean | undefined {
  const parts = /^(\d+):(\d+)@(.+)$/.exec(owner ?? "");
  if (parts === null || parts[3] !== hostIdentity()) return undefined;
  const pid = Number(parts[1]);
  return isRunning(pid) && (startTimeOf(pid) ?? "0") === parts[2];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return systemCodeOf(error) === "EPERM";
  }
}

/** Field 22 of /proc/<pid>/stat: a pid alone may have been given to another process since. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

/** Same boot and same process namespace: only there does a pid mean the same process. */
function hostIdentity(): string {
  const parts = [
    hostname(),
    readOrEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    readOrEmpty(() => readlinkSync("/proc/self/ns/pid")),
  ];
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12);
}

function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
