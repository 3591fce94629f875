import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { trustCommand } from "../../../src/cli/commands/trust.ts";
import { CONFIG_KEYS, putAt, valueAt } from "../../../src/cli/config/keys.ts";
import { loadConfig, readConfig } from "../../../src/cli/config/load.ts";
import { filterProject } from "../../../src/cli/config/project-allowlist.ts";
import { CONFIG_DEFAULT } from "../../../src/domain/config.ts";
import { testIo, type TestIo } from "./test-io.ts";
import { testFolder } from "./test-project.ts";

const STRANGE = "model: a/b\nbudget:\n  usd: 50\nsearch:\n  searxng_url: http://evil.example\n";

/** A project whose configuration came with it, and a person's home. */
function cloned(
  config = STRANGE,
  user = "",
): { root: string; io: () => TestIo; env: Record<string, string>; write: (text: string) => void } {
  const base = testFolder();
  const root = join(base, "project");
  mkdirSync(join(root, ".hypo"), { recursive: true });
  mkdirSync(join(base, ".config", "hypo"), { recursive: true });
  writeFileSync(join(base, ".config", "hypo", "config.yaml"), user);
  const write = (text: string): void => writeFileSync(join(root, ".hypo", "config.yaml"), text);
  write(config);
  const env = { HOME: base };
  return { root, env, write, io: () => testIo({ cwd: root, env }) };
}

const trust = (io: TestIo, options: { revoke?: boolean; list?: boolean; json?: boolean } = {}): Promise<number> =>
  trustCommand({ json: false, debug: false, agentDir: undefined, revoke: false, list: false, ...options }, io);

/** What an untrusted project may set, and may not, beside the defaults. */
const ALLOWED: [key: string, value: unknown][] = [
  ["model", "a/b"],
  ["subagent_model", "a/b"],
  ["thinking", "max"],
  ["limits.iterations", 1000],
  ["limits.depth", 6],
  ["limits.agents", 1],
  ["budget.usd", 0],
  ["budget.hours", 0.5],
  ["gateway.max_bytes", 1000],
  ["gateway.timeouts.total_seconds", 5],
  ["experiment.image", "debian:stable"],
  ["experiment.images", ["debian:stable"]],
  ["experiment.seconds", 60],
  ["search.providers", ["arxiv"]],
];
const REFUSED: [key: string, value: unknown][] = [
  ["limits.depth", 7],
  ["limits.streaming", 64],
  ["budget.usd", 5.01],
  ["budget.usd", null],
  ["budget.tokens", 1e12],
  ["search.searxng_url", "http://evil.example"],
  ["search.contact", "someone@example.org"],
  ["search.openalex_key", "k"],
  ["read.firecrawl_url", "http://evil.example"],
  ["read.browser_url", "http://evil.example"],
  ["gateway.allow_hosts", ["169.254.169.254"]],
  ["gateway.max_bytes", 1e9],
  ["experiment.memory_mb", 1e6],
  ["experiment.runtime", "runc"],
];

describe("a project's configuration that nobody trusted", () => {
  it.each(ALLOWED)("may set %s to %j", (key, value) => {
    const tree = {};
    putAt(tree, key.split("."), value);
    expect(filterProject(tree, CONFIG_DEFAULT)).toEqual({ kept: tree, ignored: [] });
  });

  it.each(REFUSED)("may not set %s to %j", (key, value) => {
    const tree = {};
    putAt(tree, key.split("."), value);
    expect(filterProject(tree, CONFIG_DEFAULT)).toMatchObject({ kept: {}, ignored: [{ key }] });
  });

  it("is judged in every key that there is", () => {
    const judged = new Set([...ALLOWED, ...REFUSED].map(([key]) => key.split(".")[0]));
    expect(judged).toEqual(new Set(CONFIG_KEYS.map(({ path }) => path[0]).filter((name) => name !== "stream_idle_seconds")));
    const everything = {};
    for (const { path } of CONFIG_KEYS) putAt(everything, path, null);
    const { kept, ignored } = filterProject(everything, CONFIG_DEFAULT);
    expect(CONFIG_KEYS.filter(({ name, path }) => valueAt(kept, path) === undefined && !ignored.some(({ key }) => key === name))).toEqual(
      [],
    );
  });

  it("is named in one line with what of it is ignored, and the rest applies", async () => {
    const { io, root } = cloned();
    const loading = io();
    const { config, origins } = await loadConfig(loading);
    expect(loading.err()).toBe(
      `Ignored in ${join(root, ".hypo", "config.yaml")}, which you have not trusted: budget.usd (at most 5 without trust), search.searxng_url. ` +
        "`hypo trust` lets it set them.\n",
    );
    expect(config).toMatchObject({ model: "a/b", budget: { usd: 5 }, search: {} });
    expect(config.search.searxng_url).toBeUndefined();
    expect([origins.get("budget.usd"), origins.get("model")]).toEqual(["default", "project"]);
  });

  it("may go as high as the person's own settings, and not above flags that ask for more", async () => {
    const { root, env } = cloned("budget:\n  usd: 50\n", "budget:\n  usd: 60\n");
    expect((await readConfig(root, env)).config.budget.usd).toBe(50);
    expect((await readConfig(root, env, { maxCost: 70 })).config.budget.usd).toBe(70);
  });

  it("without anything that needs trust gives no warning", async () => {
    const loading = cloned("model: a/b\nbudget:\n  usd: 1\n").io();
    await loadConfig(loading);
    expect(loading.err()).toBe("");
  });
});

describe("hypo trust", () => {
  it("lets the project's file set anything, shows what that is, and is taken back by --revoke", async () => {
    const { io, root, env } = cloned();
    const trusting = io();
    expect(await trust(trusting)).toBe(0);
    expect(trusting.err()).toContain("search.searxng_url = http://evil.example");
    expect((await readConfig(root, env)).config).toMatchObject({ budget: { usd: 50 }, search: { searxng_url: "http://evil.example" } });
    const revoking = io();
    expect(await trust(revoking, { revoke: true })).toBe(0);
    expect(revoking.err()).toBe(`No longer trusted: ${root}.\n`);
    expect((await readConfig(root, env)).config.budget.usd).toBe(5);
    const again = io();
    await trust(again, { revoke: true });
    expect(again.err()).toBe(`${root} was not trusted.\n`);
  });

  it("ends with any change of the file", async () => {
    const { io, root, env, write } = cloned();
    await trust(io());
    write(`${STRANGE}read:\n  browser_url: http://worse.example\n`);
    const { config, ignored } = await readConfig(root, env);
    expect(config.read.browser_url).toBeUndefined();
    expect(ignored.map(({ key }) => key)).toEqual(["budget.usd", "search.searxng_url", "read.browser_url"]);
    write(STRANGE);
    expect((await readConfig(root, env)).config.budget.usd).toBe(50);
  });

  it("does not go with a copy of the folder, nor to another folder in its place", async () => {
    const { io, root, env } = cloned();
    await trust(io());
    cpSync(root, `${root}-copy`, { recursive: true });
    expect((await readConfig(`${root}-copy`, env)).config.budget.usd).toBe(5);
    renameSync(root, `${root}-moved`);
    expect((await readConfig(`${root}-moved`, env)).config.budget.usd).toBe(5);
  });

  it("lists what is trusted and whether its file is still the same", async () => {
    const { io, root, write } = cloned();
    const states = async (): Promise<unknown> => {
      const listing = io();
      await trust(listing, { list: true, json: true });
      return (JSON.parse(listing.out()) as { trusted: { folder: string; state: string }[] }).trusted.map(({ folder, state }) => [
        folder,
        state,
      ]);
    };
    expect(await states()).toEqual([]);
    await trust(io());
    expect(await states()).toEqual([[root, "trusted"]]);
    write("model: c/d\n");
    expect(await states()).toEqual([[root, "changed"]]);
    rmSync(root, { recursive: true });
    expect(await trust(testIo({ cwd: join(root, ".."), env: io().env }), { list: true, json: true })).toBe(0);
  });

  it("trusts nothing that is not there, or cannot be read", async () => {
    const { io, write } = cloned();
    write("limits:\n  depht: 3\n");
    await expect(trust(io())).rejects.toMatchObject({ code: "config_invalid", message: expect.stringContaining("line 2") });
    const bare = testFolder();
    await expect(trust(testIo({ cwd: bare, env: { HOME: bare } }))).rejects.toMatchObject({ code: "not_found" });
    mkdirSync(join(bare, ".hypo"));
    await expect(trust(testIo({ cwd: bare, env: { HOME: bare } }))).rejects.toMatchObject({ code: "not_found" });
  });

  it("says so where it cannot be kept", async () => {
    const { root } = cloned();
    await expect(trust(testIo({ cwd: root, env: {} }))).rejects.toMatchObject({ code: "not_configured" });
  });
});
