import { describe, expect, it } from "vitest";
import { OutputSplitter, recoverOutput } from "../../../src/sandbox/output.ts";

function frame(stream: 1 | 2, text: string | Buffer): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

describe("the output of an experiment", () => {
  it("is told apart whatever the sizes of the pieces it arrives in", () => {
    const bytes = Buffer.concat([frame(1, "one "), frame(2, "error"), frame(1, ""), frame(1, "two")]);
    for (const size of [1, 2, 3, 7, 8, 9, 100]) {
      const output = new OutputSplitter();
      for (let at = 0; at < bytes.length; at += size) output.push(bytes.subarray(at, at + size));
      expect(output.stdout.log().toString()).toBe("one two");
      expect(output.stderr.log().toString()).toBe("error");
    }
  });

  it("is known again from its logs, unless a part of it was left out", () => {
    const stdout = Buffer.alloc(1024 * 1024 + 50, "x");
    const recovered = recoverOutput({ stdout, stderr: Buffer.from("error") });
    const heard = new OutputSplitter();
    heard.push(Buffer.concat([frame(1, stdout), frame(2, "error")]));
    for (const stream of ["stdout", "stderr"] as const) {
      expect(recovered?.[stream].total).toBe(heard[stream].total);
      expect(recovered?.[stream].sha256()).toBe(heard[stream].sha256());
      expect(recovered?.[stream].log().equals(heard[stream].log())).toBe(true);
    }
    heard.push(frame(1, Buffer.alloc(100_000, "y")));
    expect(recoverOutput({ stdout: heard.stdout.log(), stderr: Buffer.alloc(0) })).toBeUndefined();
    expect(recoverOutput({ stdout })).toBeUndefined();
  });

  it("keeps its first mebibyte and its end, and counts what is left out", () => {
    const output = new OutputSplitter();
    output.push(frame(1, "start"));
    for (let i = 0; i < 30; i += 1) output.push(frame(1, Buffer.alloc(100_000, "x")));
    output.push(frame(1, "end"));
    const log = output.stdout.log().toString();
    expect(output.stdout.total).toBe(3_000_008);
    expect(log.length).toBeLessThan(1_200_000);
    expect(log.startsWith("startxxx")).toBe(true);
    expect(log.endsWith("xxxend")).toBe(true);
    expect(log).toContain(`\n[${3_000_008 - 1024 * 1024 - 64 * 1024} bytes left out]\n`);
  });

  it("keeps every byte where head and tail hold it", () => {
    const output = new OutputSplitter();
    const bytes = Buffer.from(Array.from({ length: 1024 * 1024 + 60_000 }, (_, index) => 97 + (index % 26)));
    output.push(frame(1, bytes));
    expect(output.stdout.log().equals(bytes)).toBe(true);
  });

  it("shows neither escape sequences nor invalid UTF-8 as such", () => {
    const output = new OutputSplitter();
    output.push(frame(2, Buffer.concat([Buffer.from("a\u001b[2J\tb\nc\u202e"), Buffer.from([0xff])])));
    expect(output.stderr.excerpt()).toEqual({ head: "a\ufffd[2J\tb\nc\ufffd\ufffd", tail: "" });
  });

  it("gives both ends of a long text", () => {
    const output = new OutputSplitter();
    output.push(frame(1, `first${"-".repeat(10_000)}last`));
    const { head, tail } = output.stdout.excerpt();
    expect([head.length, tail.length]).toEqual([4000, 4000]);
    expect(head.startsWith("first") && tail.endsWith("last")).toBe(true);
  });
});
