import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { configGetCommand } from "../../../src/cli/commands/config-get.ts";
import { configSetCommand, configUnsetCommand } from "../../../src/cli/commands/config-set.ts";
import { withSetting, withoutSetting } from "../../../src/cli/config/edit-text.ts";
import { readConfig } from "../../../src/cli/config/load.ts";
import { listTrusted, trustConfig } from "../../../src/cli/project/trust.ts";
import { sha256 } from "../../../src/domain/hash.ts";
import { testIo, type TestIo } from "./test-io.ts";
import { testFolder } from "./test-project.ts";

const COMMON = { json: false, debug: false, agentDir: undefined };

/** A person with a home, in a project. */
function person(): { io: () => TestIo; root: string; user: string; project: string } {
  const root = testFolder();
  mkdirSync(join(root, "project", ".hypo"), { recursive: true });
  return {
    root,
    io: () => testIo({ cwd: join(root, "project"), env: { HOME: root } }),
    user: join(root, ".config", "hypo", "config.yaml"),
    project: join(root, "project", ".hypo", "config.yaml"),
  };
}

const set = (key: string, value: string, io: TestIo, project = false): Promise<number> =>
  configSetCommand({ ...COMMON, key, value, project }, io);

describe("hypo config set", () => {
  it("makes the person's file, which then applies, and says where", async () => {
    const { io, user, root } = person();
    const setting = io();
    expect(await set("budget.usd", "2.5", setting)).toBe(0);
    expect(setting.err()).toBe(`Set budget.usd to 2.5 in ${user}.\n`);
    expect(readFileSync(user, "utf8")).toBe("budget:\n  usd: 2.5\n");
    expect(lstatSync(user).mode & 0o777).toBe(0o600);
    const { config, origins } = await readConfig(root, { HOME: root });
    expect([config.budget.usd, origins.get("budget.usd")]).toEqual([2.5, "user"]);
  });

  it.each([
    ["a list between commas", "search.providers", "arxiv, wikipedia", ["arxiv", "wikipedia"]],
    ["an empty list", "gateway.allow_hosts", "", []],
    ["a whole number", "limits.agents", "20", 20],
    ["no cap", "budget.usd", "none", null],
    ["a word", "thinking", "high", "high"],
    ["text that looks like a number", "search.contact", "007", "007"],
    ["text that YAML would read otherwise", "model", "yes: no # maybe", "yes: no # maybe"],
  ])("takes %s", async (_what, key, value, expected) => {
    const { io, user } = person();
    await set(key, value, io());
    expect(key.split(".").reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], parse(readFileSync(user, "utf8")))).toEqual(
      expected,
    );
  });

  it.each([
    ["an unknown key, with the nearest", "budget.uds", "1", "usage", "Did you mean budget.usd?"],
    ["a key without its section", "searxng_url", "http://x", "usage", "Did you mean search.searxng_url?"],
    ["a section", "budget", "1", "usage", "It has: budget.usd, budget.tokens, budget.hours."],
    ["a value out of range", "limits.depth", "99", "config_invalid", "at most 20"],
    ["a word for a number", "budget.hours", "long", "config_invalid", "It takes: number"],
    ["no cap where there must be one", "budget.hours", "none", "config_invalid", "It takes: number"],
    ["an address that is none", "search.searxng_url", "localhost", "config_invalid", "http or https"],
    ["an empty host", "gateway.allow_hosts", "localhost,,wiki.corp", "config_invalid", "gateway.allow_hosts takes"],
  ])("refuses %s without naming a line, and writes nothing", async (_what, key, value, code, hint) => {
    const { io, user } = person();
    const message = expect.not.stringMatching(/line \d/);
    await expect(set(key, value, io())).rejects.toMatchObject({ code, message, hint: expect.stringContaining(hint) });
    expect(existsSync(user)).toBe(false);
  });

  it("keeps comments, order, blank lines and what else is in the file", () => {
    const text = "# mine\nthinking: low # for now\n\nlimits: { depth: 2, agents: 9 } # small\n\n# money\nbudget:\n  # dollars\n  usd: 1\n";
    expect(withSetting(text, "c", ["budget", "usd"], 3)).toBe(text.replace("usd: 1", "usd: 3"));
    expect(withSetting(text, "c", ["limits", "depth"], 5)).toBe(text.replace("depth: 2", "depth: 5"));
    expect(withSetting(text, "c", ["model"], "a/b")).toBe(`${text}model: a/b\n`);
  });

  it.each([
    ["in an empty file", "", "limits:\n  depth: 3\n"],
    ["in a file of comments", "# nothing yet\n", "# nothing yet\n\nlimits:\n  depth: 3\n"],
    ["in a section of comments", "thinking: low\nlimits:\n  # depth: 9\n", "thinking: low\nlimits:\n  # depth: 9\n  depth: 3\n"],
  ])("opens a section %s", (_where, text, expected) => {
    const changed = withSetting(text, "c", ["limits", "depth"], 3);
    expect(parse(changed)).toMatchObject({ limits: { depth: 3 } });
    expect(changed.match(/#.*/g)).toEqual(expected.match(/#.*/g));
  });

  it("refuses a file that is broken elsewhere by its line, and leaves it as it is", async () => {
    const { io, user } = person();
    mkdirSync(join(user, ".."), { recursive: true });
    writeFileSync(user, "limits:\n  depht: 3\n");
    await expect(set("thinking", "low", io())).rejects.toMatchObject({ message: expect.stringContaining("line 2: there is no setting") });
    expect(readFileSync(user, "utf8")).toBe("limits:\n  depht: 3\n");
  });

  it("mends the value it replaces", () => {
    expect(withSetting("limits:\n  depth: 99\n", "c", ["limits", "depth"], 3)).toBe("limits:\n  depth: 3\n");
  });

  it.each([
    ["to a file", "thinking: low\n"],
    ["that leads nowhere yet", undefined],
  ])("writes behind a link of the person's own %s, and leaves the link", async (_where, text) => {
    const { io, user, root } = person();
    mkdirSync(join(user, ".."), { recursive: true });
    if (text !== undefined) writeFileSync(join(root, "dotfile.yaml"), text);
    symlinkSync(join(root, "dotfile.yaml"), user);
    await set("thinking", "high", io());
    expect(lstatSync(user).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, "dotfile.yaml"), "utf8")).toBe("thinking: high\n");
  });

  it("says so where there is no place for the person's settings", async () => {
    await expect(set("thinking", "low", testIo({ cwd: testFolder() }))).rejects.toMatchObject({ code: "not_configured" });
  });
});

describe("hypo config set --project", () => {
  it("writes the project's file, and what the person sets there applies without further trust", async () => {
    const { io, project, root } = person();
    await set("search.searxng_url", "http://localhost:1", io(), true);
    await set("limits.depth", "3", io(), true);
    expect(parse(readFileSync(project, "utf8"))).toEqual({ search: { searxng_url: "http://localhost:1" }, limits: { depth: 3 } });
    const { config, ignored } = await readConfig(join(root, "project"), { HOME: root });
    expect([config.search.searxng_url, ignored]).toEqual(["http://localhost:1", []]);
  });

  it.each([
    ["lies in a file's place", (root: string) => join(root, "file")],
    ["takes no folders", () => "/proc/nowhere"],
  ])("writes nothing where the place that keeps trust %s, and says what helps", async (_what, placeIn) => {
    const { project, root } = person();
    writeFileSync(join(root, "file"), "");
    const place = placeIn(root);
    const io = testIo({ cwd: join(root, "project"), env: { HOME: root, XDG_STATE_HOME: place } });
    await expect(set("thinking", "low", io, true)).rejects.toMatchObject({
      code: "storage_failed",
      message: expect.stringContaining(place),
      hint: expect.stringContaining("XDG_STATE_HOME"),
    });
    expect(existsSync(project)).toBe(false);
  });

  it("leaves what is trusted as it was where the file cannot be written", async () => {
    const { io, project, root } = person();
    // A name so long that no temporary file fits beside it.
    const elsewhere = join(root, `${"long".repeat(62)}.yaml`);
    writeFileSync(elsewhere, "");
    symlinkSync(elsewhere, project);
    await trustConfig({ root: join(root, "project"), state: join(root, "project", ".hypo") }, "", { HOME: root }, new Date(0));
    await expect(set("thinking", "low", io(), true)).rejects.toMatchObject({ code: "storage_failed" });
    const [trusted] = await listTrusted({ HOME: root });
    expect(trusted?.config_sha256).toBe(sha256(""));
  });

  it("does not make a stranger's file trusted, and says what of it is ignored", async () => {
    const { io, project } = person();
    writeFileSync(project, "gateway:\n  allow_hosts: [localhost]\n");
    const setting = io();
    await set("thinking", "low", setting, true);
    expect(setting.err()).toContain(`Ignored in ${project}, which you have not trusted: gateway.allow_hosts.`);
  });
});

describe("hypo config unset", () => {
  it("takes a setting out, with its section where that is left empty", () => {
    expect(withoutSetting("thinking: low\nbudget:\n  usd: 1\n", "c", "budget.usd")).toBe("thinking: low\n");
    expect(withoutSetting("budget:\n  usd: 1\n", "c", "budget.usd")).toBe("");
    expect(withoutSetting("thinking: low\n", "c", "budget.usd")).toBeUndefined();
  });

  it("mends a file that sets what hypo does not know, and knows nothing of other names", () => {
    expect(withoutSetting("limits:\n  depht: 3\n  depth: 2\n", "c", "limits.depht")).toBe("limits:\n  depth: 2\n");
    expect(() => withoutSetting("thinking: low\n", "c", "thinkng")).toThrow(expect.objectContaining({ hint: "Did you mean thinking?" }));
  });

  it("says whether there was anything to take out", async () => {
    const { io, user } = person();
    await set("thinking", "low", io());
    for (const said of [`Took thinking out of ${user}.\n`, `${user} does not set thinking.\n`]) {
      const unsetting = io();
      expect(await configUnsetCommand({ ...COMMON, key: "thinking", project: false }, unsetting)).toBe(0);
      expect(unsetting.err()).toBe(said);
    }
  });
});

describe("hypo config get", () => {
  it.each([
    ["budget.usd", "5\n", {}],
    ["budget.usd", "none\n", { HYPO_BUDGET_USD: "none" }],
    ["search.openalex_key", "(set)\n", { HYPO_SEARCH_OPENALEX_KEY: "s3cret" }],
    ["gateway.allow_hosts", "a,b:1\n", { HYPO_GATEWAY_ALLOW_HOSTS: "a, b:1" }],
    ["model", "", {}],
  ])("prints %s as %j", async (key, out, env) => {
    const io = testIo({ cwd: testFolder(), env });
    expect(await configGetCommand({ ...COMMON, key }, io)).toBe(0);
    expect(io.out()).toBe(out);
    const json = testIo({ cwd: testFolder(), env });
    await configGetCommand({ ...COMMON, json: true, key }, json);
    expect(JSON.parse(json.out())).toMatchObject({ v: 1, key, origin: Object.keys(env).length > 0 ? "environment" : "default" });
  });
});
