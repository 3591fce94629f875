import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { refuseSharedFiles } from "../../../src/cli/batch/output-files.ts";
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
});
