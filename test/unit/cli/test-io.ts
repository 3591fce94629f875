import { Readable, Writable } from "node:stream";
import type { Io } from "../../../src/cli/io.ts";

export interface TestIo extends Io {
  out(): string;
  err(): string;
}

/** Streams in memory, no terminal, a fixed clock. */
export function testIo(overrides: Partial<Io> = {}): TestIo {
  const stdout = new Memory();
  const stderr = new Memory();
  return {
    openStdin: () => Readable.from([]),
    stdout,
    stderr,
    env: {},
    cwd: "/nowhere",
    isTty: { stdin: false, stdout: false, stderr: false },
    color: { stdout: false, stderr: false },
    now: () => new Date("2026-03-01T12:05:00.000Z"),
    out: () => stdout.text,
    err: () => stderr.text,
    ...overrides,
  };
}

class Memory extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
