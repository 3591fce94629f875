import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { writeErr, type Io } from "../io.ts";
import { widthOf } from "./width.ts";

/** A pager at work: what is written to it, and its end. */
interface RunningPager {
  input: Writable;
  ended: Promise<void>;
}

type StartPager = (command: string, env: Io["env"]) => RunningPager;

/**
 * Lets a command write to a pager where its output is longer than the terminal, and waits until the person has quit it.
 * Shorter output is printed as it is. A pager that is quit early takes no more, and that is no error. Until there is a
 * pager, Ctrl-C ends the command as ever.
 *
 * The pager is HYPO_PAGER or PAGER, else `less` where it exists, with `LESS=FRX` unless LESS is set; `cat` or nothing
 * means none.
 */
export async function withPager(io: Io, use: (io: Io) => Promise<number>, start: StartPager = startPager): Promise<number> {
  const command = choosePager(io);
  if (command === undefined) return use(io);
  // From then on Ctrl-C is for the pager, which has the terminal and ends when the person quits it.
  const ignore = (): void => undefined;
  const output = new PagedOutput(io, () => {
    process.on("SIGINT", ignore);
    return start(command, { LESS: "FRX", ...io.env });
  });
  try {
    return await use({ ...io, stdout: output });
  } finally {
    await output.close();
    process.off("SIGINT", ignore);
  }
}

function choosePager(io: Io): string | undefined {
  const { HYPO_PAGER, PAGER, TERM } = io.env;
  if (!io.isTty.stdout || TERM === "dumb") return undefined;
  const named = (HYPO_PAGER ?? PAGER)?.trim();
  if (named === undefined) return isInstalled("less", io.env["PATH"]) ? "less" : undefined;
  if (named === "" || named === "cat") return undefined;
  const [program = ""] = named.split(/\s/);
  // Anything that only a shell understands is left to it.
  if (!/^[\w./+-]+$/.test(program) || isInstalled(program, io.env["PATH"])) return named;
  writeErr(io, `The pager ${program} is not installed, so nothing is paged.`);
  return undefined;
}

function isInstalled(program: string, path = ""): boolean {
  const places = program.includes("/") ? [program] : path.split(delimiter).map((folder) => join(folder, program));
  return places.some((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function startPager(command: string, env: Io["env"]): RunningPager {
  const child = spawn(command, { shell: true, env, stdio: ["pipe", "inherit", "inherit"] });
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("close", () => resolve());
  });
  return { input: child.stdin, ended };
}

/** Keeps what is written until it is known to be longer than the terminal. */
class PagedOutput extends Writable {
  /** Of the terminal, for those who fit lines to it. */
  readonly columns: number;
  private readonly io: Io;
  private readonly start: () => RunningPager;
  private readonly room: number;
  private kept = "";
  private lines = 0;
  private pager: RunningPager | undefined;

  constructor(io: Io, start: () => RunningPager) {
    super({ decodeStrings: false });
    this.io = io;
    this.start = start;
    this.columns = numberOf(io.stdout, "columns", 80);
    // The prompt comes below.
    this.room = numberOf(io.stdout, "rows", 24) - 1;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    if (this.pager) this.pager.input.write(chunk);
    else this.keep(chunk.toString());
    done();
  }

  /** Resolves when everything is printed, or the pager has been quit. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.end(resolve));
    if (!this.pager) return void this.io.stdout.write(this.kept);
    this.pager.input.end();
    await this.pager.ended;
  }

  private keep(text: string): void {
    this.kept += text;
    for (const line of text.split("\n").slice(0, -1)) {
      this.lines += Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(line)) / this.columns));
      if (this.lines > this.room) break;
    }
    if (this.lines <= this.room) return;
    this.pager = this.start();
    // It was quit while there was more.
    this.pager.input.on("error", () => undefined);
    this.pager.input.write(this.kept);
    this.kept = "";
  }
}

function numberOf(stream: object, name: string, otherwise: number): number {
  const value: unknown = Reflect.get(stream, name);
  return typeof value === "number" && value > 0 ? value : otherwise;
}
