import { isatty } from "node:tty";
import { announcerOf, type Announcement } from "./background/announcement.ts";

/** Everything a command touches of its process, as one argument. */
export interface Io {
  /** Few commands read it, and to open it loads much. */
  openStdin(): NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute; `-C <dir>` has been applied. */
  cwd: string;
  isTty: { stdin: boolean; stdout: boolean; stderr: boolean };
  /** Whether each stream may be given colours. */
  color: { stdout: boolean; stderr: boolean };
  now(): Date;
  /** Tells the hypo that started this process in the background; undefined where none did. */
  announce?: ((word: Announcement) => void) | undefined;
}

/** The real process. Colours are decided later, when the flags are known. */
export function processIo(): Io {
  const { stdout, stderr } = process;
  return {
    openStdin: () => process.stdin,
    stdout,
    stderr,
    env: process.env,
    cwd: currentFolder(),
    isTty: { stdin: isatty(0), stdout: stdout.isTTY, stderr: stderr.isTTY },
    color: { stdout: false, stderr: false },
    now: () => new Date(),
    announce: announcerOf(process),
  };
}

/** The folder that hypo was started in; the root where that has been removed meanwhile. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}

export function writeOut(io: Pick<Io, "stdout">, text: string): void {
  io.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

export function writeErr(io: Pick<Io, "stderr">, text: string): void {
  io.stderr.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** A command's result for programs: one line, `{"v":1,...}`, snake_case keys. */
export function writeJson(io: Pick<Io, "stdout">, result: Record<string, unknown>): void {
  io.stdout.write(`${JSON.stringify({ v: 1, ...result })}\n`);
}
