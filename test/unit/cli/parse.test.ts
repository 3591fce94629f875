import { describe, expect, it } from "vitest";
import { checkGiven } from "../../../src/cli/given.ts";
import { editDistance, nearest } from "../../../src/cli/nearest.ts";
import { parseCommandLine } from "../../../src/cli/parse.ts";
import { COMMANDS } from "../../../src/cli/registry.ts";
import { readCaps } from "../../../src/cli/definitions/shared.ts";
import { run } from "../../../src/cli/definitions/run.ts";

function parseCommand(...argv: string[]) {
  const parsed = parseCommandLine(argv, "1.2.3");
  if (parsed.kind !== "command") throw new Error(`expected a command, got: ${parsed.text}`);
  return parsed;
}

function parseText(...argv: string[]): string {
  const parsed = parseCommandLine(argv, "1.2.3");
  if (parsed.kind !== "text") throw new Error(`expected a text, got ${parsed.definition.name}`);
  return parsed.text;
}

describe("the command line", () => {
  it.each([
    ["before the command", ["-C", "/p", "--json", "--no-color", "--debug", "--agent-dir", "/a", "show", "last"]],
    ["after the command", ["show", "last", "-C", "/p", "--json", "--no-color", "--debug", "--agent-dir", "/a"]],
    ["on both sides", ["--json", "--cwd=/p", "show", "--no-color", "last", "--debug", "--agent-dir=/a"]],
  ])("takes global flags %s", (_where, argv) => {
    const { definition, words, globals } = parseCommand(...argv);
    expect(definition.name).toBe("show");
    expect(words).toEqual(["last"]);
    expect(Object.fromEntries(globals)).toEqual({ cwd: "/p", json: true, "no-color": true, debug: true, "agent-dir": "/a" });
  });

  it("takes global flags around two-word commands", () => {
    const { definition, words, globals } = parseCommand("memory", "--json", "search", "merge", "sort", "-C", "/p");
    expect(definition.name).toBe("memory search");
    expect(words).toEqual(["merge", "sort"]);
    expect(Object.fromEntries(globals)).toEqual({ cwd: "/p", json: true });
  });

  it("leaves out what was not given", () => {
    const { values, globals } = parseCommand("run", "why?");
    expect([values.size, globals.size]).toEqual([0, 0]);
  });

  it("takes a question that begins with a dash after --", () => {
    expect(parseCommand("run", "--", "--why").words).toEqual(["--why"]);
  });

  it("keeps a question as it is, whatever is in it", () => {
    const question = "  ¿Por qué\n“quotes” $HOME `x` 検索 \u202E? ";
    expect(parseCommand("run", question).words).toEqual([question]);
  });

  it.each([
    [["rnus"], "Unknown command 'rnus'.", "Did you mean runs?"],
    [["memory", "serch", "x"], "Unknown command 'serch'.", "Did you mean search?"],
    [["runs", "--limt", "3"], "Unknown option '--limt'.", "Did you mean --limit?"],
    [["show"], "Missing required argument 'run'.", "See `hypo help show`."],
    [["show", "a", "b"], "Too many arguments for 'show'. Expected 1 argument but got 2: a, b.", "See `hypo help show`."],
    [["runs", "--limit"], "Option '--limit <n>' argument missing.", "See `hypo help runs`."],
    [["-C", "x", "memory", "search", "--nowhere", "config", "list"], "Unknown option '--nowhere'.", "See `hypo help memory search`."],
    [["memory", "--nowhere"], "Unknown option '--nowhere'.", "See `hypo help memory`."],
    [["--nowhere"], "Unknown option '--nowhere'.", "See `hypo help`."],
    [["memory", "add", "search", "--nowhere"], "Unknown option '--nowhere'.", "See `hypo help memory add`."],
    [["-C", "runs", "show"], "Missing required argument 'run'.", "See `hypo help show`."],
    [["-C", "memory", "config"], "hypo config needs one of list, get, set, unset, path, schema.", "`hypo help config` says what they do."],
    [["--json"], "A command is missing.", "`hypo help` lists the commands."],
    [["-C", "/tmp"], "A command is missing.", "`hypo help` lists the commands."],
    [
      ["memory"],
      "hypo memory needs one of search, list, show, add, link, retire, stale, check, export, rebuild.",
      "`hypo help memory` says what they do.",
    ],
    [["-C", "x", "config"], "hypo config needs one of list, get, set, unset, path, schema.", "`hypo help config` says what they do."],
    [["help", "shwo"], "There is no help on 'shwo'.", "Did you mean `hypo help show`?"],
    [["help", "run", "now"], "There is no help on 'run now'.", "`hypo help` lists the commands."],
  ])("refuses %j and says what was meant", (argv, message, hint) => {
    expect(() => parseCommandLine(argv, "1.2.3")).toThrow(expect.objectContaining({ code: "usage", message, hint }));
  });

  it("prints the version, also among other words", () => {
    expect(parseText("--version")).toBe("1.2.3\n");
    expect(parseText("--json", "-V")).toBe("1.2.3\n");
  });

  it("prints help for every command, with an example and the global options", () => {
    for (const { name, summary, examples } of COMMANDS) {
      const help = parseText(...name.split(" "), "--help");
      expect(help).toContain(`Usage: hypo ${name}`);
      expect(help.replace(/\s+/g, " ")).toContain(summary);
      expect(help).toContain(`$ ${examples[0]?.command}`);
      expect(help).toContain("--agent-dir");
      expect(parseText("help", ...name.split(" "))).toBe(help);
    }
  });

  it("prints the whole help where nothing was asked, and for bare help", () => {
    expect(parseText()).toBe(parseText("--help"));
    expect(parseText("help")).toBe(parseText("--help"));
  });
});

function given(values: Record<string, string>) {
  return checkGiven(run, ["q"], new Map(Object.entries(values)));
}

describe("values on the command line", () => {
  it("become numbers where numbers are asked for", () => {
    expect(given({ "max-time": "0.5" }).number("max-time")).toBe(0.5);
    expect(given({ "max-tokens": "2e6" }).number("max-tokens")).toBe(2_000_000);
    expect(given({ "max-depth": "0" }).number("max-depth")).toBe(0);
    expect(given({}).number("max-time")).toBeUndefined();
  });

  it.each([
    ["max-time", "-1"],
    ["max-time", "ten"],
    ["max-time", ""],
    ["max-time", "Infinity"],
    ["max-time", "1e999"],
    ["max-time", "5$"],
    ["max-tokens", "1.5"],
    ["max-tokens", "0"],
    ["max-time", "0"],
    ["thinking", "deep"],
    ["on-gate", "ask"],
    ["model", ""],
  ])("--%s %j is refused by name", (option, value) => {
    expect(() => given({ [option]: value })).toThrow(
      expect.objectContaining({ code: "usage", message: expect.stringContaining(`--${option}`) }),
    );
  });
});

describe("near misses", () => {
  it.each([
    ["shwo", "show"],
    ["runs", "runs"],
    ["resmue", "resume"],
    ["quit", undefined],
    ["", undefined],
  ])("%s is taken for %s", (word, meant) => expect(nearest(word, ["run", "runs", "show", "resume"])).toBe(meant));

  it("counts a swap of neighbours as one step", () => {
    expect(editDistance("budget", "bugdet")).toBe(1);
    expect(editDistance("", "abc")).toBe(3);
    expect(editDistance("kitten", "sitting")).toBe(3);
  });
});

describe("the cap on money", () => {
  it("is an amount, or none for no cap", () => {
    expect(given({ "max-cost": "0.5" }).text("max-cost")).toBe("0.5");
    expect(readCaps(given({ "max-cost": "0.5" })).maxCost).toBe(0.5);
    expect(readCaps(given({ "max-cost": "none" })).maxCost).toBeNull();
    expect(readCaps(given({})).maxCost).toBeUndefined();
  });

  it.each(["-1", "ten", "", "Infinity", "5$"])("is refused as %j", (text) => {
    expect(() => readCaps(given({ "max-cost": text }))).toThrow(/--max-cost/);
  });
});
