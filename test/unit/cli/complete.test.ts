import { describe, expect, it } from "vitest";
import { complete } from "../../../src/cli/completion/complete.ts";
import { TOPICS } from "../../../src/cli/help-topics.ts";
import { COMMANDS, GLOBAL_OPTIONS, GROUPS } from "../../../src/cli/registry.ts";

const VOCABULARY = { commands: COMMANDS, groups: GROUPS, topics: TOPICS, globals: GLOBAL_OPTIONS };

/** Values offered for the last word. */
function offered(...words: string[]): string[] | string {
  const completion = complete(words, VOCABULARY);
  return completion.kind === "words" ? completion.candidates.map(({ value }) => value) : completion.completes;
}

describe("what may stand under the cursor", () => {
  it("is every command and group at first", () => {
    const all = offered("");
    for (const { name } of COMMANDS) expect(all).toContain(name.split(" ")[0]);
    expect(all).toContain("help");
    expect(new Set(all).size).toBe(all.length);
  });

  it.each([
    ["a command that is begun", ["exp"], ["export", "experiments"]],
    ["the commands of a group", ["config", "s"], ["set", "schema"]],
    ["a command after global options", ["-C", "/p", "--json", "doc"], ["doctor"]],
    ["a global option begun", ["--no"], ["--no-color", "--no-pager"]],
    ["an option of a command", ["run", "--max-c"], ["--max-cost"]],
    ["no option that was given", ["runs", "--active", "--act"], []],
    ["an option that may be given again", ["experiments", "run", "x-1", "--file", "a", "--fi"], ["--file"]],
    ["the values of an option", ["run", "--thinking", "m"], ["minimal", "medium", "max"]],
    ["the values of an argument", ["completion", ""], ["bash", "zsh", "fish"]],
    ["help on a command", ["help", "doc"], ["doctor"]],
    ["help on a topic", ["help", "exit"], ["exit-codes"]],
    ["help on a command of a group", ["help", "memory", "sea"], ["search"]],
    ["nothing for an option's free value", ["run", "--max-cost", ""], []],
    ["nothing for a question", ["run", ""], []],
    ["nothing after the last argument", ["show", "last", ""], []],
    ["nothing for an unknown command", ["shwo", ""], []],
    ["runs", ["show", ""], "run"],
    ["runs as an option's value", ["memory", "search", "--run", ""], "run"],
    ["agents after the run", ["steer", "last", ""], "agent"],
    ["experiments", ["replay", "x-"], "experiment"],
    ["sources, also the third", ["sources", "verify", "aa", "bb", ""], "source"],
    ["notes", ["memory", "link", "a", "supports", ""], "note"],
    ["settings", ["config", "set", "bud"], "key"],
    ["folders", ["-C", ""], "folder"],
    ["files", ["export", "last", "--out", ""], "file"],
    ["files of an experiment's command, whatever they begin with", ["experiments", "run", "x-1", "--", "python", "-"], "file"],
  ])("%s", (_what, words, expected) => expect(offered(...words)).toEqual(expected));

  it("knows the run whose agents are meant", () => {
    expect(complete(["steer", "--branch", "main", "2026", ""], VOCABULARY)).toMatchObject({ completes: "agent", run: "2026" });
  });
});
