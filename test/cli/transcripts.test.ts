import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RunEvent } from "../../src/domain/events.ts";
import { QUESTION, RUN, wholeRun } from "../unit/cli/a-run.ts";
import packageJson from "../../package.json" with { type: "json" };

const BINARY = fileURLToPath(new URL("../../bin/hypo.js", import.meta.url));

interface Transcript {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the real binary in a folder of its own, with nothing of the person's environment but the path. */
function hypo(argv: string[], options: { cwd?: string; env?: Record<string, string>; node?: string } = {}): Transcript {
  const cwd = options.cwd ?? folder();
  const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, ...options.env };
  const { status, stdout, stderr } = spawnSync(options.node ?? process.execPath, [BINARY, ...argv], { cwd, env, encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "hypo transcript é "));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe("hypo, as typed", () => {
  it("prints its version", () => {
    expect(hypo(["--version"])).toEqual({ code: 0, out: `${packageJson.version}\n`, err: "" });
  });

  it("prints help on stdout, and the same where nothing is asked", () => {
    const help = hypo(["--help"]);
    expect(help).toMatchObject({ code: 0, err: "" });
    expect(help.out).toMatch(/^Usage: hypo /);
    expect(hypo([])).toEqual(help);
  });

  it("gives version and help to programs as JSON", () => {
    expect(JSON.parse(hypo(["--json", "--version"]).out)).toEqual({ v: 1, version: packageJson.version });
    expect(JSON.parse(hypo(["runs", "--help", "--json"]).out)).toEqual({ v: 1, help: expect.stringMatching(/^Usage: hypo runs/) });
  });

  it("gives the schema and completion to programs as one line of JSON, and as they are to files", () => {
    const [schema, asIs] = [hypo(["config", "schema", "--json"]), hypo(["config", "schema"])];
    expect(schema.out.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(schema.out)).toEqual({ v: 1, schema: JSON.parse(asIs.out) });
    const [completion, script] = [hypo(["completion", "fish", "--json"]), hypo(["completion", "fish"])];
    expect(JSON.parse(completion.out)).toEqual({ v: 1, shell: "fish", script: script.out });
    expect(script.out).toContain("complete ");
  });

  it("says at once what is wrong with a folder that takes no files", () => {
    expect(hypo(["-C", "/proc", "demo"])).toMatchObject({ code: 1, err: expect.stringMatching(/Cannot write \/proc\/.*\n +Choose /) });
    const cwd = folder();
    writeFileSync(join(cwd, "hypo-demo"), "");
    expect(hypo(["demo"], { cwd })).toMatchObject({ code: 1, err: expect.stringContaining("a file is where a folder should be") });
  });

  it("explains exit codes", () => {
    expect(hypo(["help", "exit-codes"]).out).toContain("  8  the run waits for a person");
  });

  it.each([
    ["an unknown command", ["shwo"], "hypo: Unknown command 'shwo'.\n      Did you mean show?\n"],
    ["an unknown option", ["runs", "--limti", "1"], "hypo: Unknown option '--limti'.\n      Did you mean --limit?\n"],
    [
      "a value that does not fit",
      ["runs", "--limit", "0"],
      'hypo: --limit was given "0", and needs a whole number of 1 or more.\n      Example: --limit 2\n',
    ],
    ["a missing argument", ["show"], "hypo: Missing required argument 'run'.\n      See `hypo help show`.\n"],
    [
      "a folder that is not there",
      ["-C", "/no/such", "runs"],
      "hypo: -C names /no/such, which is not a folder.\n      Name a folder that exists.\n",
    ],
  ])("exits 2 for %s", (_what, argv, err) => {
    expect(hypo(argv)).toEqual({ code: 2, out: "", err });
  });

  it("gives errors to programs on stdout, also those of the command line itself", () => {
    for (const argv of [
      ["shwo", "--json"],
      ["--json", "runs", "--limit", "x"],
      ["show", "last", "--json"],
    ]) {
      const { code, out, err } = hypo(argv);
      expect([code, err]).toEqual([2, ""]);
      expect(JSON.parse(out)).toEqual({ v: 1, error: { code: expect.any(String), message: expect.any(String), hint: expect.any(String) } });
    }
  });

  it("lists no runs where there are none, and makes no folder for it", () => {
    const cwd = folder();
    const { code, out, err } = hypo(["runs"], { cwd });
    expect([code, out]).toEqual([0, ""]);
    expect(err).toContain("hypo demo");
    expect(JSON.parse(hypo(["runs", "--json"], { cwd }).out)).toEqual({ v: 1, runs: [], total: 0, left_out: 0, unreadable: 0 });
    expect(existsSync(join(cwd, ".hypo"))).toBe(false);
  });

  it("names file, line and the nearest key where the configuration is wrong", () => {
    const cwd = folder();
    mkdirSync(join(cwd, ".hypo"));
    writeFileSync(join(cwd, ".hypo", "config.yaml"), "# mine\nlimits:\n  dept: 3\n");
    const { code, err } = hypo(["config", "get", "limits.depth"], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(/^hypo: .*\.hypo\/config\.yaml, line 3: there is no setting limits\.dept\.\n {6}Did you mean limits\.depth\?\n$/);
  });

  it("names the variable that is misspelt", () => {
    expect(hypo(["config", "get", "model"], { env: { HYPO_BUDGET_UDS: "1" } }).err).toBe(
      "hypo: The environment sets HYPO_BUDGET_UDS, which hypo does not know.\n      Did you mean HYPO_BUDGET_USD?\n",
    );
  });

  it("shows where a value comes from, without HOME too", () => {
    expect(hypo(["config", "list"], { env: { HYPO_BUDGET_USD: "1", HOME: "" } }).out).toMatch(/budget\.usd +1 +environment\n/);
  });

  it.each(["/proc/nobody", "/dev/null"])("says what to do where Pi's directory cannot be made, as with HOME=%s", (home) => {
    expect(hypo(["run", "Why?"], { env: { HOME: home } })).toEqual({
      code: 2,
      out: "",
      err:
        `hypo: Pi's agent directory ${home}/.pi/agent is not there and cannot be made.\n` +
        "      Name another one with --agent-dir or PI_CODING_AGENT_DIR, or set HOME to a folder that you can write.\n",
    });
  });

  it("lists a run whose journal cannot be read as damaged, and leaves out one without readable metadata, with a warning", () => {
    const cwd = folder();
    const run = join(cwd, ".hypo", "runs", "20260301-120000-x-ab12");
    mkdirSync(run, { recursive: true });
    const meta = { v: 1, run: "20260301-120000-x-ab12", question: "What is x?", created: "2026-03-01T12:00:00.000Z" };
    writeFileSync(join(run, "meta.json"), JSON.stringify(meta));
    writeFileSync(join(run, "journal.jsonl"), "{\n{\n");
    const listed = hypo(["runs"], { cwd });
    expect(listed.code).toBe(0);
    expect(listed.out).toMatch(/20260301-120000-x-ab12 +damaged/);
    writeFileSync(join(run, "meta.json"), "{");
    const unreadable = hypo(["runs"], { cwd });
    expect(unreadable.code).toBe(0);
    expect(unreadable.out).not.toContain("20260301-120000-x-ab12");
    expect(unreadable.err).toContain("meta.json");
    expect(hypo(["show", "last"], { cwd })).toMatchObject({
      code: 1,
      err: expect.stringContaining("meta.json is not what hypo writes there"),
    });
  });

  it("shows a run from its journal, and the branch main where another went on", async () => {
    const cwd = folder();
    const run = join(cwd, ".hypo", "runs", RUN);
    mkdirSync(run, { recursive: true });
    writeFileSync(join(run, "meta.json"), JSON.stringify({ v: 1, run: RUN, question: QUESTION, created: "2026-03-01T12:00:00.000Z" }));
    const { Journal } = await import("../../src/engine/journal/journal.ts");
    const clock = { now: () => new Date("2026-03-01T12:00:00.000Z"), monotonic: () => 0, sleep: async () => undefined };
    const journal = await Journal.create(run, { clock });
    const { facts } = journal.append(
      "main",
      0,
      wholeRun().facts.map(({ type, data }) => ({ type, data }) as RunEvent),
    );
    const events = { agent: "root", call: "x", tool: "later", args: {} };
    journal.moveBranch("other", facts.length, undefined, "forked");
    journal.append("other", facts.length, [{ type: "tool_started", data: events }]);
    await journal.close();
    const shown = hypo(["show", "last", "--json"], { cwd });
    expect([shown.code, shown.err]).toEqual([0, ""]);
    expect(JSON.parse(shown.out)).toMatchObject({
      v: 1,
      run: RUN,
      state: "completed",
      spend: { usd: 0.25 },
      agents: [{ id: "root", last_action: "answered" }, {}, {}],
    });
    expect(hypo(["show", RUN.slice(0, 8)], { cwd }).out).toContain("Stopped: goal_achieved");
    expect(hypo(["experiments", "list"], { cwd }).out).toContain("x-0000000001");
  });

  it("searches notes and shows stored sources of the project", async () => {
    const cwd = folder();
    const state = join(cwd, ".hypo");
    mkdirSync(state);
    const { openMemory } = await import("../../src/memory/index.ts");
    const memory = openMemory({ folder: state, say: () => undefined });
    const finding = wholeRun().facts.flatMap((fact) => (fact.type === "finding_published" ? [fact.data.finding] : []))[0];
    if (!finding) throw new Error("the run has a finding");
    await memory.write(memory.noteFor(finding));
    await memory.close();
    const { openSourceStore } = await import("../../src/gateway/index.ts");
    const sources = openSourceStore(join(state, "sources"));
    const url = "https://example.org/sorting.txt";
    const retrieval = { url, final_url: url, retrieved_at: "2026-03-01T12:00:00.000Z", status: 200, backend: "direct" };
    const bytes = new TextEncoder().encode("Binary insertion sort makes few comparisons. ".repeat(20));
    const { source } = await sources.keep({ bytes, mime: "text/plain", retrieval }, AbortSignal.timeout(20_000));
    await sources.close();

    const found = hypo(["memory", "search", "comparison", "--json"], { cwd });
    expect(JSON.parse(found.out)).toMatchObject({ v: 1, query: "comparison", hits: [{ id: "f-0000000001", type: "fact" }] });
    expect(hypo(["memory", "search", "giraffe"], { cwd })).toMatchObject({ code: 0, out: "" });
    expect(hypo(["sources", "list"], { cwd }).out).toContain(source.id.slice(0, 12));
    expect(hypo(["sources", "show", source.id.slice(0, 8), "--text"], { cwd }).out).toMatch(/^Binary insertion sort/);
    expect(hypo(["sources", "show", "00000000"], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining("No stored source begins with"),
    });
  });

  it("shows a stack with --debug only", () => {
    expect(hypo(["show", "last"]).err).not.toContain("    at ");
    expect(hypo(["show", "last", "--debug"]).err).toContain("    at ");
  });

  it("colours a pipe only when told to", () => {
    expect(hypo(["config", "list"]).out).not.toContain("\u001B");
    expect(hypo(["config", "list"], { env: { FORCE_COLOR: "1" } }).out).toContain("\u001B[");
    expect(hypo(["config", "list", "--no-color"], { env: { FORCE_COLOR: "1" } }).out).not.toContain("\u001B");
  });

  it("ends quietly when its reader has gone", async () => {
    const cwd = folder();
    const child = spawn(process.execPath, [BINARY, "config", "list"], { cwd, env: { HOME: cwd }, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    const code = await new Promise((done) => child.on("close", done));
    expect([code, err]).toEqual([0, ""]);
  });

  const old = olderNode();
  it.skipIf(old === undefined)("refuses a Node.js that is too old, before anything else is loaded (skipped where there is none)", () => {
    const { code, out, err } = hypo(["runs"], old === undefined ? {} : { node: old });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^hypo needs Node\.js 22\.19 or newer, and this is \d+/);
  });
});

/** A Node.js below 22 on the path, if there is one. */
function olderNode(): string | undefined {
  const folders = new Set([...(process.env["PATH"] ?? "").split(delimiter), "/usr/local/bin", "/usr/bin"]);
  return [...folders]
    .map((each) => join(each, "node"))
    .find(
      (path) =>
        existsSync(path) && Number(spawnSync(path, ["-p", "process.versions.node"], { encoding: "utf8" }).stdout.split(".")[0]) < 22,
    );
}
