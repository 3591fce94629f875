import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { configListCommand } from "../../../src/cli/commands/config.ts";
import { parseConfigText } from "../../../src/cli/config/config-file.ts";
import { readEnvironment } from "../../../src/cli/config/environment.ts";
import { CONFIG_KEYS } from "../../../src/cli/config/keys.ts";
import { loadConfig } from "../../../src/cli/config/load.ts";
import { CONFIG_DEFAULT } from "../../../src/domain/config.ts";
import { testIo } from "./test-io.ts";
import { testFolder } from "./test-project.ts";

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
    const { config, origins } = await loadConfig(cwd, env);
    expect(config).toEqual(CONFIG_DEFAULT);
    expect(new Set(origins.values())).toEqual(new Set(["default"]));
  });

  it("takes flags over the environment over the project over the user's over the defaults, and knows which it was", async () => {
    const { cwd, env } = setUp({
      user: "budget: { usd: 1, tokens: 1, hours: 1 }\nlimits: { agents: 11 }\nthinking: low\n",
      project: "budget: { usd: 2, tokens: 2, hours: 2 }\n",
    });
    const { config, origins } = await loadConfig(cwd, { ...env, HYPO_BUDGET_USD: "3", HYPO_BUDGET_TOKENS: "3" }, { maxCost: 4 });
    expect(config.budget).toEqual({ usd: 4, tokens: 3, hours: 2 });
    expect(config.limits.agents).toBe(11);
    expect(config.limits.depth).toBe(6);
    const keys = ["budget.usd", "budget.tokens", "budget.hours", "limits.agents", "limits.depth"];
    expect(keys.map((key) => origins.get(key))).toEqual(["flag", "environment", "project", "user", "default"]);
  });

  it("takes --max-time in minutes and names the flag that is not allowed", async () => {
    const { cwd, env } = setUp({});
    expect((await loadConfig(cwd, env, { maxMinutes: 90 })).config.budget.hours).toBe(1.5);
    await expect(loadConfig(cwd, env, { maxDepth: 50 })).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("--max-depth"),
    });
  });

  it("is read from ~/.config where XDG_CONFIG_HOME is unset or relative, and not at all without HOME", async () => {
    const home = testFolder();
    put(join(home, ".config", "hypo", "config.yaml"), "thinking: high\n");
    const cwd = testFolder();
    expect((await loadConfig(cwd, { HOME: home })).config.thinking).toBe("high");
    expect((await loadConfig(cwd, { HOME: home, XDG_CONFIG_HOME: "xdg" })).config.thinking).toBe("high");
    expect((await loadConfig(cwd, {})).config.thinking).toBeUndefined();
  });

  it("replaces lists whole", async () => {
    const { cwd, env } = setUp({ user: "gateway: { allow_hosts: [a, b] }\n", project: "gateway:\n  allow_hosts: [c]\n" });
    expect((await loadConfig(cwd, env)).config.gateway.allow_hosts).toEqual(["c"]);
    expect((await loadConfig(cwd, { ...env, HYPO_GATEWAY_ALLOW_HOSTS: "x:1, y" })).config.gateway.allow_hosts).toEqual(["x:1", "y"]);
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
      expect.objectContaining({ code: "config_invalid", message: expect.stringContaining(`line ${line}: this is not valid YAML`) }),
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

  it("set nothing when empty, and others are left alone", () => {
    expect(readEnvironment({ HYPO_MODEL: "", HYPO_TEST_HOOK: "x", PATH: "/bin" })).toEqual({});
  });

  it.each([
    ["HYPO_BUDGET_USD", "cheap", "HYPO_BUDGET_USD"],
    ["HYPO_BUDGET_USD", "-1", "HYPO_BUDGET_USD"],
    ["HYPO_SEARCH_SEARXNG_URL", "file:///etc", "HYPO_SEARCH_SEARXNG_URL"],
    ["HYPO_BUGDET_USD", "1", "HYPO_BUGDET_USD"],
  ])("%s=%s is refused by name", (name, value, named) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(
      expect.objectContaining({ code: "config_invalid", message: expect.stringContaining(named) }),
    );
  });
});

describe("hypo config list", () => {
  it("shows every key with its origin and never a key's value", async () => {
    const io = testIo({ cwd: testFolder(), env: { HYPO_SEARCH_OPENALEX_KEY: "s3cret", HYPO_BUDGET_USD: "1" } });
    await configListCommand({ json: false, debug: false, agentDir: undefined }, io);
    for (const key of CONFIG_KEYS) expect(io.out()).toContain(key.name);
    expect(io.out()).toMatch(/budget\.usd +1 +environment/);
    expect(io.out()).toMatch(/openalex_key +\(set\) +environment/);
    expect(io.out()).not.toContain("s3cret");
  });
});
