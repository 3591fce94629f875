import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { readQuestion } from "../../../src/cli/question/read-question.ts";
import { testIo } from "./test-io.ts";

const LONG = `${"Welche Sortierverfahren brauchen für fast sortierte Eingaben weniger Vergleiche? ".repeat(3)}どの整列法が速いですか？ ما هي أسرع خوارزمية فرز؟`;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "hypo question é "));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const nothing = { question: undefined, file: undefined };
const terminal = { stdin: true, stdout: true, stderr: true };

/** An editor that is a shell script over the file it is given. */
function editor(cwd: string, script: string): string {
  const path = join(cwd, "my editor.sh");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o700);
  return `'${path}' --wait`;
}

describe("the question of a run", () => {
  it.each([
    ["an argument in several scripts, longer than 200 characters", LONG, LONG],
    ["lines", "Does it\n\n  hold\tfor\r\nall n?", "Does it hold for all n?"],
    ["an emoji and a right-to-left mark", "Why \u202E? 👩‍🔬", "Why \u202E? 👩‍🔬"],
  ])("is taken on one line from %s", async (_what, question, expected) => {
    expect(await readQuestion({ question, file: undefined }, testIo())).toBe(expected);
  });

  it("is read from stdin for -, and from a pipe where nothing is given", async () => {
    const openStdin = () => Readable.from([Buffer.from(`\uFEFF${LONG}\n`)]);
    expect(await readQuestion({ question: "-", file: undefined }, testIo({ openStdin }))).toBe(LONG);
    expect(await readQuestion(nothing, testIo({ openStdin }))).toBe(LONG);
  });

  it("is read from a file, relative to the folder worked in", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "frage ü.md"), "Which one\nis faster?\n");
    expect(await readQuestion({ question: undefined, file: "frage ü.md" }, testIo({ cwd }))).toBe("Which one is faster?");
  });

  it("is what the person writes above the ruler in $VISUAL, which wins over $EDITOR", async () => {
    const cwd = folder();
    const env = {
      PATH: process.env["PATH"],
      EDITOR: "false",
      VISUAL: editor(cwd, `test "$1" = --wait || exit 9; { printf '# Why\\n is it so?\\n'; cat "$2"; } > "$2.new"; mv "$2.new" "$2"`),
    };
    expect(await readQuestion(nothing, testIo({ cwd, env, isTty: terminal }))).toBe("# Why is it so?");
  });

  it.each([
    ["the editor leaves the file as it was", "true", /left empty, so nothing was started/],
    ["the editor fails", "exit 3", /ended with exit code 3; nothing was started/],
  ])("is refused where %s", async (_what, script, message) => {
    const cwd = folder();
    const io = testIo({ cwd, env: { EDITOR: editor(cwd, script) }, isTty: terminal });
    await expect(readQuestion(nothing, io)).rejects.toThrow(message);
  });

  it.each([
    ["nothing is given at a terminal without an editor", nothing, {}, /neither \$VISUAL nor \$EDITOR/],
    ["only white space is piped in", nothing, { openStdin: () => Readable.from([Buffer.from(" \n")]) }, /needs a question/],
    [
      "bytes are not UTF-8",
      { question: "-", file: undefined },
      { openStdin: () => Readable.from([Buffer.from([0x57, 0xff])]) },
      /not UTF-8/,
    ],
    ["there is a file and a question", { question: "Why?", file: "q.md" }, {}, /a question and a file/],
    ["the file is not there", { question: undefined, file: "no.md" }, {}, /no\.md cannot be read/],
    ["it holds a control sequence", { question: "Why \u001B]8;;x\u0007?", file: undefined }, {}, /control characters/],
    ["it is longer than a question", { question: "w".repeat(8001), file: undefined }, {}, /8001 characters/],
  ])("is refused where %s", async (_what, given, io, message) => {
    const isTty = "openStdin" in io ? { stdin: false, stdout: false, stderr: false } : terminal;
    await expect(readQuestion(given, testIo({ isTty, ...io }))).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
  });
});
