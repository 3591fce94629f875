import { readFile } from "node:fs/promises";
import { z } from "zod";
import { HypoError, messageOf } from "../domain/errors.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { processIdentity } from "../files/process-identity.ts";
import { takeLock } from "./journal/lock.ts";
import type { RunFolder } from "./run-folder.ts";
import { systemClock } from "./system-clock.ts";

export type ProcessState = "starting" | "running" | "complete" | "failed" | "stopping" | "stopped";

const HEARTBEAT_MS = 5000;
/** Several lines in a row are written together. */
const NOTE_MS = 200;
const MOST_NOTES = 20;
const LONGEST_NOTE = 500;

/** `status.json`: what the run's process is doing. An overlay for people and other processes, never a truth of the run. */
export class RunStatus {
  private readonly folder: RunFolder;
  private readonly now: () => Date;
  private state: ProcessState = "starting";
  private branches: readonly string[] = [];
  private end: { exit_code?: number; error?: string } = {};
  private notes: readonly string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private noting: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(folder: RunFolder, now: () => Date) {
    this.folder = folder;
    this.now = now;
  }

  async begin(branches: readonly string[]): Promise<void> {
    this.branches = branches;
    this.timer = setInterval(() => void this.write().catch(() => undefined), HEARTBEAT_MS).unref();
    await this.set("running");
  }

  async set(state: ProcessState): Promise<void> {
    this.state = state;
    await this.write();
  }

  /** Names the branches that are at work. */
  async setBranches(branches: readonly string[]): Promise<void> {
    this.branches = branches;
    await this.write();
  }

  /** Keeps a line for those who watch the run from other processes: the latest few, each once. */
  note(line: string): void {
    const kept = line.slice(0, LONGEST_NOTE).toWellFormed();
    this.notes = [...this.notes.filter((each) => each !== kept), kept].slice(-MOST_NOTES);
    this.noting ??= setTimeout(() => {
      this.noting = undefined;
      void this.write().catch(() => undefined);
    }, NOTE_MS).unref();
  }

  /** The last word of this process. A disk that cannot be written does not hide what went wrong before. */
  async close(state: ProcessState, exitCode: number, error?: unknown): Promise<void> {
    clearInterval(this.timer);
    clearTimeout(this.noting);
    this.branches = [];
    this.end = { exit_code: exitCode, ...(error === undefined ? {} : { error: messageOf(error).slice(0, 500) }) };
    await this.set(state).catch(() => undefined);
  }

  private write(): Promise<void> {
    const identity = processIdentity();
    const process = { pid: identity?.pid ?? 0, pid_started: identity?.started ?? "", boot: identity?.boot ?? "" };
    const now = { heartbeat: this.now().toISOString(), branches: this.branches, said: this.notes };
    const status = { v: 1, state: this.state, ...process, ...now, ...this.end };
    this.writing = this.writing
      .catch(() => undefined)
      .then(() => writeFileAtomic(this.folder.status, `${JSON.stringify(status, null, 2)}\n`));
    return this.writing;
  }
}

/**
 * Puts right the status of a run whose process died: `stopped`, with nobody at work. Holds the run meanwhile, so that
 * the word of a new process is never overwritten; false where there is one.
 *
 * @throws HypoError `storage_failed`
 */
export async function markStopped(folder: RunFolder): Promise<boolean> {
  try {
    const lock = await takeLock(folder.path, { clock: systemClock });
    try {
      const status = z.looseObject({}).parse(JSON.parse(await readFile(folder.status, "utf8")));
      await writeFileAtomic(folder.status, `${JSON.stringify({ ...status, state: "stopped", branches: [] }, null, 2)}\n`);
      return true;
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (error instanceof HypoError && error.code === "run_locked") return false;
    throw error;
  }
}
