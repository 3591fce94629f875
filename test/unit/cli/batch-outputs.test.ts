import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { refuseSharedFiles } from "../../../src/cli/batch/output-files.ts";
import type { BatchItem } from "../../../src/cli/batch/batch-line.ts";
import { ResultPublisher } from "../../../src/cli/batch/publish-results.ts";
import { emptyResult } from "../../../src/cli/batch/read-item.ts";
import type { BatchOptions } from "../../../src/cli/commands/options.ts";
import { testIo } from "./test-io.ts";

describe("the files of a batch's results", () => {
  it.each([
    ["the questions", { out: "q.txt" }, "--out q.txt would be written over the questions."],
    ["the questions behind a link", { summary: "link.txt" }, "--summary link.txt would be written over the questions."],
    ["one another", { out: "r", junit: "./r" }, "--junit ./r would be written over --out."],
    ["one another, behind a link", { out: "later", junit: "soon" }, "--junit soon would be written over --out."],
  ])("are refused where they would be written over %s", async (_what, given, message) => {
    const cwd = mkdtempSync(join(tmpdir(), "hypo-batch-"));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    const questions = join(cwd, "q.txt");
    writeFileSync(questions, "One?\n");
    symlinkSync("q.txt", join(cwd, "link.txt"));
    symlinkSync("later", join(cwd, "soon"));
    const none = { out: undefined, junit: undefined, summary: undefined };
    await expect(refuseSharedFiles(questions, { ...none, ...given }, testIo({ cwd }))).rejects.toMatchObject({ code: "usage", message });
    await expect(refuseSharedFiles(questions, { out: "a", junit: "b", summary: "c" }, testIo({ cwd }))).resolves.toBeUndefined();
  });

  it("are written anew with each result, and where one is a pipe, once at the end", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "hypo-batch-"));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    const reader = spawn("cat", [join(cwd, "pipe")], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void reader.kill());
    const read = text(reader.stdout);
    const items: BatchItem[] = ["a", "b"].map((id, index) => ({ id, line: index + 1, question: "Why?", sets: {} }));
    const options = { out: "pipe", junit: "junit.xml", summary: undefined, isOrdered: false, json: true } as unknown as BatchOptions;
    const publisher = new ResultPublisher("q.txt", items, options, testIo({ cwd }));
    await publisher.write();
    for (const item of items) {
      publisher.add({ ...emptyResult(item), status: "answered", reached: true });
      await publisher.write();
    }
    expect(readFileSync(join(cwd, "junit.xml"), "utf8")).toContain('tests="2" failures="0"');
    await publisher.finish();
    const ids = (await read)
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toEqual(["a", "b"]);
  });
});
