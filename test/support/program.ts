import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { systemCodeOf } from "../../src/domain/errors.ts";

type Stream = "stdout" | "stderr";

export interface ProgramOptions {
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  /** Sent to the program's input, which is then closed; empty by default. */
  stdin?: string;
  /** Milliseconds until the program is killed and the test fails; 60,000 by default. */
  timeoutMs?: number;
  /** Milliseconds until kill -9. */
  killAfter?: number;
  /** Asked for every complete line of output; kill -9 at the first yes. */
  killWhen?: (line: string, stream: Stream) => boolean;
}

export interface ProgramResult {
  /** Null where a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunningProgram {
  pid: number;
  /** Resolves with the first line that fits, earlier lines included; rejects where the program ends without one. */
  line: (fits: (line: string, stream: Stream) => boolean) => Promise<string>;
  kill: (signal: NodeJS.Signals) => void;
  /** How it ended; rejects on a timeout, with the output so far. */
  ended: Promise<ProgramResult>;
}

/** Starts a Node.js program with the Node.js that runs the tests. */
export function startProgram(file: string, args: string[], options: ProgramOptions): RunningProgram {
  const { cwd, env, stdin = "", killAfter } = options;
  // A process group of its own, so that a timeout takes the program's children along.
  const child = spawn(process.execPath, [file, ...args], { cwd, env, detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot start ${file} in ${cwd}`);
  child.stdin.on("error", () => undefined).end(stdin);

  const lines = new LineWatch();
  const { killWhen } = options;
  if (killWhen !== undefined) lines.watch((line, stream) => killWhen(line, stream) && child.kill("SIGKILL"));
  const output = { stdout: collect(child.stdout), stderr: collect(child.stderr) };
  watchLines(child.stdout, "stdout", lines);
  watchLines(child.stderr, "stderr", lines);
  const killTimer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter);
  const ended = untilEnded(child, pid, output, options).finally(() => clearTimeout(killTimer));
  // A caller that waits for a line first must not be torn down by a timeout it has not come to yet.
  ended.catch(() => undefined);
  return { pid, line: (fits) => untilLine(lines, fits, ended), kill: (signal) => void child.kill(signal), ended };
}

type LineVisitor = (line: string, stream: Stream) => void;

/** Lines so far and whoever waits for the next. */
class LineWatch {
  readonly #seen: [string, Stream][] = [];
  readonly #visitors: LineVisitor[] = [];

  add(line: string, stream: Stream): void {
    this.#seen.push([line, stream]);
    for (const visit of this.#visitors) visit(line, stream);
  }

  watch(visit: LineVisitor): void {
    for (const [line, stream] of this.#seen) visit(line, stream);
    this.#visitors.push(visit);
  }
}

function watchLines(readable: Readable, stream: Stream, lines: LineWatch): void {
  createInterface({ input: readable, crlfDelay: Infinity }).on("line", (line) => lines.add(line, stream));
}

function collect(readable: Readable): () => string {
  const parts: Buffer[] = [];
  readable.on("data", (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString("utf8");
}

function untilEnded(
  child: ChildProcess,
  pid: number,
  output: Record<Stream, () => string>,
  { timeoutMs = 60_000 }: ProgramOptions,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`still running after ${timeoutMs} ms\n--- stdout\n${output.stdout()}\n--- stderr\n${output.stderr()}`));
      killGroup(pid);
    }, timeoutMs);
    child.once("error", reject).once("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: output.stdout(), stderr: output.stderr() });
    });
  });
}

/** Ends a program with all its children; nothing where they have just ended. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (systemCodeOf(error) !== "ESRCH") throw error;
  }
}

async function untilLine(
  lines: LineWatch,
  fits: (line: string, stream: Stream) => boolean,
  ended: Promise<ProgramResult>,
): Promise<string> {
  const found = new Promise<string>((resolve) => {
    lines.watch((line, stream) => fits(line, stream) && resolve(line));
  });
  const none = ended.then(({ code, signal, stdout, stderr }): never => {
    throw new Error(`ended (${code ?? signal}) without such a line\n--- stdout\n${stdout}\n--- stderr\n${stderr}`);
  });
  return Promise.race([found, none]);
}
