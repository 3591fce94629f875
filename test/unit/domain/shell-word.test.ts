import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { plainBlock } from "../../../src/cli/output/plain-text.ts";
import { jsonForShell, quoteForShell } from "../../../src/domain/shell-word.ts";

const WORDS = [
  "plain",
  "",
  "two words",
  "no'; touch pwned; '",
  "'",
  "\\'\\",
  '"$(touch pwned)" `touch pwned` $HOME !! * ~',
  "~",
  "a\nb\tc",
  "hidden\u001B' and \u202Ereversed\u200B '; touch pwned; \u001B[31",
  "👩‍🔬 é 検索",
];

/** What bash takes a line of words for. */
function wordsInBash(line: string): string[] {
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\0").slice(0, -1);
}

describe("a word of a command that a person may paste", () => {
  it("is one word to the shell and means what it says, also once it has been printed", () => {
    expect(wordsInBash(WORDS.map(quoteForShell).join(" "))).toEqual(WORDS);
    expect(wordsInBash(plainBlock(WORDS.map(quoteForShell).join(" ")))).toEqual(WORDS);
  });

  it("is the same value as JSON", () => {
    const line = plainBlock(WORDS.map(jsonForShell).join(" "));
    expect(line).not.toMatch(/[\p{C}]/u);
    expect(wordsInBash(line).map((word) => JSON.parse(word) as unknown)).toEqual(WORDS);
  });

  it.each([
    ["docs/plan.yaml", "docs/plan.yaml"],
    ["registry:5000/python:3.13@sha256", "registry:5000/python:3.13@sha256"],
    ["it's é", "'it'\\''s é'"],
  ])("%s is shown as %s", (word, shown) => {
    expect(quoteForShell(word)).toBe(shown);
  });
});
