import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { configListCommand } from "../../../src/cli/commands/config-list.ts";
import { parseConfigText } from "../../../src/cli/config/config-file.ts";
import { readEnvironment } from "../../../src/cli/config/environment.ts";
import { CONFIG_KEYS } from "../../../src/cli/config/keys.ts";
import { readConfig } from "../../../src/cli/config/load.ts";
import { CONFIG_DEFAULT } from "../../../src/domain/config.ts";
import { testIo } from "./test-io.ts";
import { testFolder } from "./test-project.ts";

const LIST = {
  json: false,
  debug: false,
  agentDir: undefined,
  model: undefined,
  subagentModel: undefined,
  thinking: undefined,
  maxCost: undefined,
  maxTokens: undefined,
  maxMinutes: undefined,
  maxAgents: undefined,
  maxDepth: undefined,
  maxIterations: undefined,
};

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A project and a user folder with the given configuration files. */
function setUp(files: { project?: string; user?: string }): { cwd: string; env: Record<string, string> } {
  const root = testFolder();
  mkdirSync(join(root, "project", ".hypo"), { recursive: true });
  mkdirSync(join(root, "project", "deep", "down"), { recursive: true });
  if (files.project !== undefined) put(join(root, "project", ".hypo", "config.yaml"), files.project);
  if (files.user !== undefined) put(join(root, "xdg", "hypo", "config.yaml"), files.user);
  return { cwd: join(root, "project", "deep", "down"), env: { XDG_CONFIG_HOME: join(root, "xdg") } };
}

describe("configuration", () => {
  it("is the defaults where nothing is set", async () => {
    const { cwd, env } = setUp({});
    const { config, origins } = await readConfig(cwd, env);
    expect(config).toEqual(CONFIG_DEFAULT);
    expect(new Set(origins.values())).toEqual(new Set(["default"]));
  });

  it("takes flags over the environment over the project over the user's over the defaults, and knows which it was", async () => {
    const { cwd, env } = setUp({
      user: "budget: { usd: 9, tokens: 9, hours: 9 }\nlimits: { agents: 11 }\nthinking: low\n",
      project: "budget: { usd: 2, tokens: 2, hours: 1 }\n",
    });
    const { config, origins } = await readConfig(cwd, { ...env, HYPO_BUDGET_USD: "3", HYPO_BUDGET_TOKENS: "3" }, { maxCost: 4 });
    expect(config.budget).toEqual({ usd: 4, tokens: 3, hours: 1 });
    expect(config.limits.agents).toBe(11);
    expect(config.limits.depth).toBe(6);
    const keys = ["budget.usd", "budget.tokens", "budget.hours", "limits.agents", "limits.depth"];
    expect(keys.map((key) => origins.get(key))).toEqual(["flag", "environment", "project", "user", "default"]);
  });

  it("takes --max-time in minutes and names the flag that is not allowed", async () => {
    const { cwd, env } = setUp({});
    expect((await readConfig(cwd, env, { maxMinutes: 90 })).config.budget.hours).toBe(1.5);
    await expect(readConfig(cwd, env, { maxDepth: 50 })).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("--max-depth"),
    });
  });

  it("is read from ~/.config where XDG_CONFIG_HOME is unset or relative, and not at all without a HOME from / on", async () => {
    const home = testFolder();
    put(join(home, ".config", "hypo", "config.yaml"), "thinking: high\n");
    const cwd = testFolder();
    expect((await readConfig(cwd, { HOME: home })).config.thinking).toBe("high");
    expect((await readConfig(cwd, { HOME: home, XDG_CONFIG_HOME: "xdg" })).config.thinking).toBe("high");
    for (const env of [{}, { HOME: "" }, { HOME: relative(process.cwd(), home) }])
      expect((await readConfig(cwd, env)).config.thinking).toBeUndefined();
  });

  it("replaces lists whole", async () => {
    const { cwd, env } = setUp({ user: "experiment: { images: [a, b] }\n", project: "experiment:\n  images: [c]\n" });
    expect((await readConfig(cwd, env)).config.experiment.images).toEqual(["c"]);
    expect((await readConfig(cwd, { ...env, HYPO_GATEWAY_ALLOW_HOSTS: "x:1, y" })).config.gateway.allow_hosts).toEqual(["x:1", "y"]);
  });
});

describe("a configuration file that is wrong names its line", () => {
  it.each([
    ["an unknown key, with the nearest", "thinking: low\nlimits:\n  depht: 3\n", 3, "limits.depht", "limits.depth"],
    ["an unknown section, with the nearest", "\n\nbugdet:\n  usd: 3\n", 3, "bugdet", "budget"],
    ["a key that belongs in a section", "searxng_url: http://localhost:8080\n", 1, "searxng_url", "search.searxng_url"],
    ["an unknown key like none", "xyzzy: 1\n", 1, "xyzzy", "hypo config list"],
    ["a value out of range", "limits:\n  agents: 2\n  depth: 99\n", 3, "limits.depth", "at most 20"],
    ["a value of another type", "budget:\n  usd: much\n", 2, "budget.usd", "number"],
    ["a word that is not allowed", "thinking: deep\n", 1, "thinking", "one of off, minimal"],
    ["an item of a list", "search:\n  providers:\n    - arxiv\n    - gogle\n", 4, "search.providers", "list of searxng"],
    ["a section that is no section", "limits: 3\n", 1, "limits", "hypo config list"],
  ])("%s", (_why, text, line, what, hint) => {
    expect(() => parseConfigText(text, "/p/config.yaml")).toThrow(
      expect.objectContaining({
        code: "config_invalid",
        message: expect.stringMatching(new RegExp(`^/p/config\\.yaml, line ${line}: .*${what.replace(".", "\\.")}`)),
        hint: expect.stringContaining(hint),
      }),
    );
  });

  it.each([
    ["broken YAML", "limits:\n  depth: [1, 2\nthinking: low\n", 3],
    ["a key given twice", "thinking: low\nmodel: a/b\nthinking: high\n", 3],
  ])("%s", (_why, text, line) => {
    expect(() => parseConfigText(text, "/p/config.yaml")).toThrow(
      expect.objectContaining({ code: "config_invalid", message: expect.stringMatching(`line ${line}: this is not valid YAML: .*[.]$`) }),
    );
  });

  it.each([
    ["an empty file", ""],
    ["only comments", "# budget:\n"],
    ["a section with all its keys commented out", "limits:\n  # depth: 3\n"],
  ])("%s is fine", (_why, text) => expect(parseConfigText(text, "c")).toEqual({}));

  it("refuses a list or a word in place of keys", () => {
    expect(() => parseConfigText("- a\n", "c")).toThrow(expect.objectContaining({ code: "config_invalid" }));
    expect(() => parseConfigText("hello\n", "c")).toThrow(expect.objectContaining({ code: "config_invalid" }));
  });
});

describe("HYPO_* variables", () => {
  it("are there for every key, each once", () => {
    const variables = CONFIG_KEYS.map((key) => key.variable);
    expect(new Set(variables).size).toBe(variables.length);
    expect(variables).toEqual(expect.arrayContaining(["HYPO_SUBAGENT_MODEL", "HYPO_BUDGET_USD", "HYPO_SEARCH_SEARXNG_URL"]));
  });

  it("take none for no cap on money", () => {
    expect(readEnvironment({ HYPO_BUDGET_USD: "none" })).toEqual({ budget: { usd: null } });
  });

  it("set nothing when empty, and others are left alone", () => {
    expect(readEnvironment({ HYPO_MODEL: "", HYPO_TEST_HOOK: "x", PATH: "/bin" })).toEqual({});
  });

  it.each([
    ["HYPO_BUDGET_USD", "cheap", "HYPO_BUDGET_USD"],
    ["HYPO_BUDGET_USD", "-1", "HYPO_BUDGET_USD"],
    ["HYPO_SEARCH_SEARXNG_URL", "file:///etc", "HYPO_SEARCH_SEARXNG_URL"],
    ["HYPO_BUGDET_USD", "1", "HYPO_BUGDET_USD"],
    ["HYPO_BUDGET_TOKENS", "none", "HYPO_BUDGET_TOKENS"],
  ])("%s=%s is refused by name", (name, value, named) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(
      expect.objectContaining({ code: "config_invalid", message: expect.stringContaining(named) }),
    );
  });
});

describe("hypo config list", () => {
  it("shows every key with its origin and never a key's value", async () => {
    const io = testIo({ cwd: testFolder(), env: { HYPO_SEARCH_OPENALEX_KEY: "s3cret", HYPO_BUDGET_USD: "1" } });
    expect(await configListCommand({ ...LIST, maxMinutes: 90 }, io)).toBe(0);
    for (const key of CONFIG_KEYS) expect(io.out()).toContain(key.name);
    expect(io.out()).toMatch(/budget\.usd +1 +environment/);
    expect(io.out()).toMatch(/budget\.hours +1\.5 +flag/);
    expect(io.out()).toMatch(/openalex_key +\(set\) +environment/);
    expect(io.out()).not.toContain("s3cret");
  });

  it("works where files and variables are broken, names each and exits 2", async () => {
    const { cwd, env } = setUp({ user: "thinking: low\nlimits:\n  depht: 3\n", project: "model: a/b\n" });
    const io = testIo({ cwd, env: { ...env, HYPO_BUDGET_USD: "much" } });
    expect(await configListCommand(LIST, io)).toBe(2);
    expect(io.out()).toMatch(/^model +a\/b +project$/m);
    expect(io.out()).toMatch(/^thinking +- +default$/m);
    expect(io.err()).toMatch(
      /Left out: .*xdg\/hypo\/config\.yaml, line 3: there is no setting limits\.depht\. Did you mean limits\.depth\?\n/,
    );
    expect(io.err()).toContain("HYPO_BUDGET_USD");
    const json = testIo({ cwd, env });
    await configListCommand({ ...LIST, json: true }, json);
    expect(JSON.parse(json.out())).toMatchObject({ problems: [{ code: "config_invalid", hint: "Did you mean limits.depth?" }] });
  });
});
