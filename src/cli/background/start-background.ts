import { spawn, type ChildProcess } from "node:child_process";
import { open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { HypoError } from "../../domain/errors.ts";
import { PRIVATE_FILE, storageError } from "../../files/atomic.ts";
import type { Io } from "../io.ts";
import { LEASH_VARIABLE, type Announcement } from "./announcement.ts";

const BINARY = fileURLToPath(new URL("../../../bin/hypo.js", import.meta.url));

export interface BackgroundOptions {
  io: Pick<Io, "cwd" | "env">;
  /** Where the process writes what it has to say; appended to. */
  log: string;
  /** Given to its input, which is then closed. */
  input?: string;
  /** Added to the environment. */
  env?: Record<string, string>;
  /** Tied to this process: it saves its run and ends when this one is gone. */
  isLeashed?: boolean;
}

/** A hypo in a process and a session of its own, without a terminal. */
export interface BackgroundProcess {
  child: ChildProcess;
  pid: number;
  /** Resolves with its first word; rejects with its failure, or where it ended without a word. */
  announced: Promise<string>;
  /** How it ended. */
  ended: Promise<BackgroundEnd>;
}

interface BackgroundEnd {
  /** Null where a signal ended it. */
  exitCode: number | null;
  /** What it failed for, as far as it could tell. */
  failure: HypoError | undefined;
}

/**
 * Starts this hypo once more, with other arguments.
 *
 * @throws HypoError `storage_failed` where its log cannot be written
 */
export async function startBackground(args: readonly string[], options: BackgroundOptions): Promise<BackgroundProcess> {
  const { io, log, input = "", isLeashed = false } = options;
  const file = await open(log, "a", PRIVATE_FILE).catch((error: unknown) => {
    throw storageError(log, error);
  });
  try {
    const child = spawn(process.execPath, [...process.execArgv, BINARY, ...args], {
      cwd: io.cwd,
      env: { ...io.env, ...options.env, [LEASH_VARIABLE]: isLeashed ? "1" : "0" },
      detached: true,
      stdio: ["pipe", file.fd, file.fd, "ipc"],
    });
    // Ended before it had read all: its exit code says more.
    child.stdin?.on("error", () => undefined).end(input);
    return { child, pid: child.pid ?? 0, announced: firstWord(child, log), ended: endOf(child) };
  } finally {
    await file.close();
  }
}

/** Lets a background process go on after this one. */
export function letGo({ child }: BackgroundProcess): void {
  if (child.connected) child.disconnect();
  child.unref();
}

function firstWord(child: ChildProcess, log: string): Promise<string> {
  const word = new Promise<string>((resolve, reject) => {
    child.once("message", (message) => {
      const told = message as Announcement;
      if ("run" in told) resolve(told.run);
      else reject(failureOf(told.failure));
    });
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      reject(
        new HypoError("internal", `The background process ended without a word (${signal ?? `exit code ${code ?? "unknown"}`}).`, {
          hint: `What it said is in ${log}.`,
        }),
      ),
    );
  });
  // Whoever waits for it is told; nobody has to.
  word.catch(() => undefined);
  return word;
}

function endOf(child: ChildProcess): Promise<BackgroundEnd> {
  let failure: HypoError | undefined;
  child.on("message", (message) => {
    const told = message as Announcement;
    if ("failure" in told) failure = failureOf(told.failure);
  });
  return new Promise((resolve) => {
    // Unlike `exit`, this comes after the last message.
    child.once("close", (exitCode) => resolve({ exitCode, failure }));
    child.once("error", () => resolve({ exitCode: null, failure }));
  });
}

function failureOf({ code, message, hint }: Extract<Announcement, { failure: unknown }>["failure"]): HypoError {
  return new HypoError(code, message, { hint: hint ?? undefined });
}
