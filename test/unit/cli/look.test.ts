import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { experimentsListCommand, experimentsShowCommand } from "../../../src/cli/commands/experiments.ts";
import { runsCommand } from "../../../src/cli/commands/runs.ts";
import { showCommand } from "../../../src/cli/commands/show.ts";
import { sourcesListCommand, sourcesShowCommand } from "../../../src/cli/commands/sources.ts";
import { chooseProject, makeProject } from "../../../src/cli/project/project.ts";
import { findRun } from "../../../src/cli/runs/find-run.ts";
import { stores as realStores } from "../../../src/cli/stores.ts";
import type { RunEvent } from "../../../src/domain/events.ts";
import { sha256 } from "../../../src/domain/hash.ts";
import type { SourceRecord } from "../../../src/domain/source.ts";
import { FactList, largeRun, RUN, testedRun, wholeRun } from "./a-run.ts";
import { runOnDisk } from "./run-on-disk.ts";
import { testIo } from "./test-io.ts";
import { addRun, testFolder, testStores } from "./test-project.ts";

const PLAIN = { json: false, debug: false, agentDir: undefined };
const JSON_TOO = { ...PLAIN, json: true };
const OLDER = "20260228-090000-older-0001";
const OLDEST = "20260228-080000-oldest-0002";

describe("a run is named by its id, a prefix, or last", () => {
  it("finds it from a folder below the project", async () => {
    const root = testFolder();
    for (const run of [RUN, OLDER, OLDEST]) addRun(root, run);
    const project = await chooseProject(root);
    await makeProject(project);
    expect((await findRun(project, "last")).id).toBe(RUN);
    expect((await findRun(project, OLDER)).id).toBe(OLDER);
    expect((await findRun(project, "202603")).id).toBe(RUN);
    await expect(findRun(project, "20260228")).rejects.toMatchObject({ code: "run_ambiguous", message: expect.stringContaining(OLDER) });
    await expect(findRun(project, "20270101")).rejects.toMatchObject({ code: "run_unknown" });
    await expect(findRun(project, "")).rejects.toMatchObject({ code: "run_unknown" });
    await expect(findRun(project, "../..")).rejects.toMatchObject({ code: "run_unknown" });
    await expect(findRun(project, RUN.replace("sorting", "sortign"))).rejects.toMatchObject({ hint: `Did you mean ${RUN}?` });
  });

  it("says how to begin where there is none", async () => {
    await expect(findRun(undefined, "last")).rejects.toMatchObject({ code: "run_unknown", hint: expect.stringContaining("hypo run") });
  });
});

describe("hypo runs", () => {
  it("tells running, interrupted, finished and damaged runs apart, newest first", async () => {
    const root = testFolder();
    addRun(root, RUN, { state: "running", pid: 1 });
    addRun(root, OLDER, { state: "running", pid: 2, error: "killed" });
    addRun(root, OLDEST, { state: "complete", pid: 2 });
    const damaged = "20260101-000000-damaged-0003";
    addRun(root, damaged);
    const stores = testStores({ [RUN]: testedRun().facts, [OLDER]: testedRun().facts, [OLDEST]: wholeRun().facts });
    const io = testIo({ cwd: root });
    expect(await runsCommand({ ...PLAIN, limit: 20, active: false }, io, stores)).toBe(0);
    const rows = io
      .out()
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split(/ {2,}/).slice(0, 2));
    expect(rows).toEqual([
      [RUN, "running"],
      [OLDER, "interrupted"],
      [OLDEST, "completed"],
      [damaged, "damaged"],
    ]);
    expect(io.out()).toContain("line 3, byte 120");
  });

  it("gives programs the same, and the total beyond the limit", async () => {
    const root = testFolder();
    for (const run of [RUN, OLDER]) addRun(root, run);
    const io = testIo({ cwd: root });
    await runsCommand({ ...JSON_TOO, limit: 1, active: false }, io, testStores({ [RUN]: wholeRun().facts, [OLDER]: [] }));
    expect(JSON.parse(io.out())).toMatchObject({
      v: 1,
      total: 2,
      runs: [{ run: RUN, state: "completed", usd: 0.25, tokens: 1500, findings: 3, stop_reason: "goal_achieved", answered: true }],
    });
  });
});

describe("hypo runs with a run that cannot be read beside others", () => {
  const DAMAGED = "20260302-120000-damaged-0003";
  const NAMELESS = "20260303-120000-nameless-0004";

  async function list(options: { limit?: number; active?: boolean }): Promise<{ runs: string[]; left: number; warned: string }> {
    const root = testFolder();
    addRun(root, RUN, { state: "running", pid: 1 });
    addRun(root, OLDER, { state: "running", pid: 2 });
    addRun(root, OLDEST, { state: "complete", pid: 1 });
    addRun(root, DAMAGED, { state: "running", pid: 1 });
    writeFileSync(join(addRun(root, NAMELESS, { state: "running", pid: 1 }), "meta.json"), "{");
    const facts = { [RUN]: testedRun().facts, [OLDER]: testedRun().facts, [OLDEST]: wholeRun().facts, [NAMELESS]: wholeRun().facts };
    const io = testIo({ cwd: root });
    await runsCommand({ ...JSON_TOO, limit: options.limit, active: options.active ?? false }, io, testStores(facts));
    const told = JSON.parse(io.out()) as {
      runs: { run: string; state: string; problem: string | null }[];
      left_out: number;
      unreadable: number;
    };
    expect(told.unreadable).toBe(1);
    expect(told.runs[0]).toMatchObject({ run: DAMAGED, state: "damaged", problem: expect.stringContaining("line 3, byte 120") as string });
    return { runs: told.runs.map(({ run }) => run), left: told.left_out, warned: io.err() };
  }

  it("lists the damaged one with its reason, and warns of the one without metadata", async () => {
    const { runs, left, warned } = await list({});
    expect([runs, left]).toEqual([[DAMAGED, RUN, OLDER, OLDEST], 0]);
    expect(warned).toContain(`Left out, since its metadata cannot be read: ${NAMELESS}:`);
  });

  it.each([
    [false, "there is no other"],
    [true, "no other is at work"],
  ])("says how many were left out where none can be listed (--active: %s)", async (active, rest) => {
    const root = testFolder();
    for (const run of [DAMAGED, NAMELESS]) writeFileSync(join(addRun(root, run, { state: "running", pid: 1 }), "meta.json"), "{");
    const io = testIo({ cwd: root });
    expect(await runsCommand({ ...PLAIN, limit: 20, active }, io, testStores({}))).toBe(0);
    expect(io.err().trimEnd().split("\n").slice(-1)).toEqual([`2 runs were left out; ${rest}.`]);
  });

  it("counts towards the limit what is listed, and says how many are left", async () => {
    expect(await list({ limit: 2 })).toMatchObject({ runs: [DAMAGED, RUN], left: 2 });
  });

  it("lists with --active those that a process is at work on, whatever their journals are like", async () => {
    expect(await list({ active: true })).toMatchObject({ runs: [DAMAGED, RUN], left: 0 });
  });
});

describe("hypo show", () => {
  async function show(list: FactList, process?: { state: string; pid: number }): Promise<string> {
    const root = testFolder();
    addRun(root, RUN, process);
    const io = testIo({ cwd: root });
    await showCommand({ ...PLAIN, run: "last", branch: "main" }, io, testStores({ [RUN]: list.facts }));
    return io.out();
  }

  it("tells the whole story of a finished run", async () => {
    const text = await show(wholeRun());
    for (const part of [
      "completed",
      "Stopped: goal_achieved: the hypothesis was tested",
      "report.md",
      "Spend: $0.2500 of $5.00, 1.5k of 20M tokens",
      "✓ root Supervisor",
      "    ◷ root.1 Sorter (timed_out: 30 minutes",
      "f-0000000001  observed: Binary insertion uses fewer comparisons. [1 quote]",
      "h-0000000001  supported: It wins below 32 elements.",
      "x-0000000001  supported: Count comparisons below 32 elements",
      "q-0000000001  closed: Where do they cross? Near 40.",
    ])
      expect(text).toContain(part);
  });

  it("isolates right-to-left text, so that what stands beside it stays in place, and leaves JSON alone", async () => {
    const evidence = { source: "a".repeat(64), quote: "x", text_sha256: "b".repeat(64), extractor: "x", start: 0, end: 1 };
    const list = wholeRun()
      .spawn("root.2", "باحث 2")
      .publish({ id: "f-2", type: "fact", statement: "بحث في 5 سنوات", evidence: [evidence, evidence] });
    const text = await show(list);
    expect(text).toContain("f-2  observed: \u2068بحث في 5 سنوات\u2069 [2 quotes]");
    expect(text).toContain("root.2 \u2068باحث 2\u2069 (running; ");
    expect(await show(wholeRun())).not.toMatch(/[\u2066-\u2069]/);
    const root = testFolder();
    addRun(root, RUN);
    const io = testIo({ cwd: root });
    await showCommand({ ...JSON_TOO, run: RUN, branch: "main" }, io, testStores({ [RUN]: list.facts }));
    expect(io.out()).toContain('"بحث في 5 سنوات"');
    expect(io.out()).not.toMatch(/[\u2066-\u2069]/);
  });

  it("says how to continue a run whose process is gone, and not for one that is alive", async () => {
    expect(await show(testedRun(), { state: "running", pid: 2 })).toContain(`Continue: hypo resume ${RUN}`);
    expect(await show(testedRun(), { state: "running", pid: 1 })).not.toContain("Continue:");
  });

  it("shows what a waiting run asks", async () => {
    const gate = { gate: "g-1", agent: "root", call: "g", prompt: "Which range?", options: [{ label: "Small arrays", value: "small" }] };
    const text = await show(testedRun().add("gate_opened", { ...gate, allowed_events: ["ANSWERED"] }));
    expect(text).toContain("Waits for a person (gate 23): Which range?\n  small: Small arrays");
  });

  it("stays short for 200 agents and says what is left out", async () => {
    const text = await show(largeRun(200));
    expect(text.split("\n").length).toBeLessThan(90);
    expect(text).toContain("+140 more");
  });

  it("neutralises what models wrote", async () => {
    const text = await show(testedRun().publish({ id: "f-2", type: "fact", statement: "\u001B[2J\u001B]8;;http://evil\u0007x\u202E" }));
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202E|evil/u);
  });

  it("gives programs a versioned object", async () => {
    const root = testFolder();
    addRun(root, RUN);
    const io = testIo({ cwd: root });
    await showCommand({ ...JSON_TOO, run: RUN, branch: "main" }, io, testStores({ [RUN]: wholeRun().facts }));
    const digest = JSON.parse(io.out());
    expect(digest).toMatchObject({ v: 1, run: RUN, state: "completed", stop: { reason: "goal_achieved", answered: true }, gate: null });
    expect(digest.agents).toHaveLength(3);
    expect(digest.omitted).toEqual({ agents: 0, findings: 0, hypotheses: 0, experiments: 0, questions: 0, branches: 0 });
  });
});

describe("hypo experiments", () => {
  const stores = testStores({ [RUN]: wholeRun().facts });

  it("lists what was registered, and names runs it could not read", async () => {
    const root = testFolder();
    addRun(root, RUN);
    addRun(root, OLDER);
    const io = testIo({ cwd: root });
    await experimentsListCommand({ ...PLAIN, run: undefined }, io, stores);
    expect(io.out()).toMatch(/x-0000000001 +supported +1 +h-0000000001 +Count comparisons/);
    expect(io.err()).toContain(`Left out: ${OLDER} cannot be read.`);
  });

  it("gathers the experiments of all branches, each once with all its executions", async () => {
    const list = wholeRun();
    const registered = list.facts.findIndex(({ type }) => type === "plan_registered") + 1;
    const { root, write } = await runOnDisk(list);
    const again = list.facts.find(({ type }) => type === "plan_registered");
    const began = list.facts.find(({ type }) => type === "experiment_started");
    await write((journal) => {
      journal.moveBranch("side", registered, undefined, "forked");
      const events = [
        { type: "experiment_started", data: { ...began?.data, execution: 2 } },
        { type: "plan_registered", data: { ...again?.data, experiment: "x-0000000002" } },
      ] as RunEvent[];
      journal.append("side", registered, events);
    });
    const io = testIo({ cwd: root });
    await experimentsListCommand({ ...JSON_TOO, run: undefined }, io, realStores);
    expect(JSON.parse(io.out())).toMatchObject({
      damaged_runs: [],
      experiments: [
        {
          id: "x-0000000001",
          branches: ["main", "side"],
          executions: [
            { execution: 1, status: "completed" },
            { execution: 2, status: "unfinished" },
          ],
        },
        { id: "x-0000000002", branches: ["side"], executions: [] },
      ],
    });
  });

  it("shows the frozen plan, the metrics and the review of one", async () => {
    const root = testFolder();
    addRun(root, RUN);
    const io = testIo({ cwd: root });
    await experimentsShowCommand({ ...PLAIN, experiment: "x-00" }, io, stores);
    for (const part of ["metrics.ratio < 1.0", "ratio = 0.91", "outcome met", "limitation: small arrays only", "c".repeat(64)])
      expect(io.out()).toContain(part);
    await expect(experimentsShowCommand({ ...PLAIN, experiment: "x-1" }, io, stores)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("hypo sources", () => {
  const stores = testStores({});
  const text = "word ".repeat(600);
  const source: SourceRecord = {
    v: 1,
    id: "9f86d081".padEnd(64, "0"),
    size: 4200,
    mime: "text/html",
    canonical: "https://example.org/sorting",
    bibliography: { title: "Sorting \u001B[31mred", authors: ["A. Author"] },
    text: { sha256: sha256(text), extractor: "readability 1", characters: 3000 },
    retrievals: [
      {
        url: "http://example.org/s",
        final_url: "https://example.org/sorting",
        retrieved_at: "2026-03-01T12:00:00Z",
        status: 200,
        backend: "direct",
      },
    ],
    untrusted: true,
  };
  async function inProject() {
    const root = testFolder();
    const place = join(root, ".hypo", "sources", source.id.slice(0, 2), source.id);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "metadata.json"), JSON.stringify(source));
    writeFileSync(join(place, "text.md"), text);
    return testIo({ cwd: root });
  }

  it("lists and shows where a source came from, with the beginning of its text", async () => {
    const io = await inProject();
    await sourcesListCommand({ ...PLAIN, limit: 5 }, io, stores);
    expect(io.out()).toMatch(/9f86d0810000 +2026-03-01 +text\/html +4\.2 kB +Sorting red +https:/);
    await sourcesShowCommand({ ...PLAIN, source: "9f86d081", text: false }, io, stores);
    expect(io.out()).toContain("http://example.org/s -> https://example.org/sorting");
    expect(io.out()).toContain("1.5k more characters: --text");
    expect(io.out()).not.toContain("\u001B");
  });

  it("prints the whole text and nothing else with --text", async () => {
    const io = await inProject();
    await sourcesShowCommand({ ...PLAIN, source: "9f86d081", text: true }, io, stores);
    expect(io.out().trim()).toBe("word ".repeat(600).trim());
  });

  it("says so where there is no such source or no project", async () => {
    const io = await inProject();
    await expect(sourcesShowCommand({ ...PLAIN, source: "abcdef12", text: false }, io, stores)).rejects.toMatchObject({
      code: "not_found",
    });
    const outside = testIo({ cwd: testFolder() });
    await sourcesListCommand({ ...JSON_TOO, limit: 5 }, outside, stores);
    expect(JSON.parse(outside.out())).toEqual({ v: 1, sources: [], total: 0 });
  });
});
