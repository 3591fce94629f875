import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { memoryStaleCommand } from "../../../src/cli/commands/memory-stale.ts";
import { sourcesAddCommand } from "../../../src/cli/commands/sources-add.ts";
import { bibtexOf } from "../../../src/cli/commands/sources-bibtex.ts";
import { sourcesExportCommand } from "../../../src/cli/commands/sources-export.ts";
import { sourcesGcCommand } from "../../../src/cli/commands/sources-gc.ts";
import { sourcesRefreshCommand } from "../../../src/cli/commands/sources-refresh.ts";
import { sourcesVerifyCommand } from "../../../src/cli/commands/sources-verify.ts";
import { sourcesSearchCommand } from "../../../src/cli/commands/sources.ts";
import type { EventData, EventType, Fact } from "../../../src/domain/events.ts";
import { sha256 } from "../../../src/domain/hash.ts";
import { FactList, RUN, wholeRun } from "./a-run.ts";
import { testIo, type TestIo } from "./test-io.ts";
import { addRun, testFolder, testStores } from "./test-project.ts";

const JSON_TOO = { json: true, debug: false, agentDir: undefined };
/** A report whose answer rests on the finding f-1. */
const REPORT_ON_F1 = { opening: { answer: { text: "It takes 41 swaps.", supports: ["f-1"] } }, sections: [] };
const NOTES = "# Notes on sorting\n\nInsertion sort is short.\n";

/** A project with two files of its own added. */
async function openProjectWithFiles(): Promise<{ root: string; io: () => TestIo; ids: { notes: string; data: string } }> {
  const root = testFolder();
  mkdirSync(join(root, "papers", "deep"), { recursive: true });
  writeFileSync(join(root, "papers", "notes.md"), NOTES);
  writeFileSync(join(root, "papers", "deep", "data.csv"), "a,b\n1,2\n");
  writeFileSync(join(root, "papers", ".env"), "SECRET=1");
  writeFileSync(join(root, "papers", "picture.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  const io = (): TestIo => testIo({ cwd: root, env: { HOME: root, XDG_CONFIG_HOME: join(root, "config") } });
  const adding = io();
  expect(await sourcesAddCommand({ ...JSON_TOO, what: ["papers"] }, adding, testStores({}))).toBe(1);
  expect(JSON.parse(adding.out())).toMatchObject({
    sources: expect.arrayContaining([expect.objectContaining({ source: expect.objectContaining({ id: sha256(NOTES) }) })]),
    refused: [{ from: join(root, "papers", "picture.png"), code: "unsupported_type" }],
  });
  const ids = { notes: sha256(NOTES), data: sha256("a,b\n1,2\n") };
  // The clock of these tests stands still, that of their files does not.
  const before = new Date(io().now().getTime() - 1000);
  for (const id of Object.values(ids)) utimesSync(join(root, ".hypo", "sources", id.slice(0, 2), id, "text.md"), before, before);
  return { root, io, ids };
}

function makePipe(path: string): void {
  execFileSync("mkfifo", [path]);
}

function appendFact<T extends EventType>(facts: Fact[], branch: string, type: T, data: EventData<T>): void {
  const seq = facts.length + 1;
  facts.push({ v: 1, seq, parent: seq - 1, branch, at: "2026-03-01T13:00:00.000Z", type, data } as Fact);
}

function answered(io: TestIo): unknown {
  return JSON.parse(io.out());
}

describe("the person's own files as sources", () => {
  it("are added by folder, without what may hold secrets, and found again", async () => {
    const { root, io, ids } = await openProjectWithFiles();
    const searching = io();
    await sourcesSearchCommand({ ...JSON_TOO, query: "insertion short", limit: 5 }, searching, testStores({}));
    expect(answered(searching)).toMatchObject({ total: 1, sources: [{ id: ids.notes, retrievals: [{ backend: "file" }] }] });
    expect(readdirSync(join(root, ".hypo", "sources")).toSorted()).toEqual([ids.notes.slice(0, 2), ids.data.slice(0, 2)].toSorted());
  });

  it("are refused where they are missing or may hold secrets", async () => {
    const { root, io } = await openProjectWithFiles();
    await expect(sourcesAddCommand({ ...JSON_TOO, what: ["nowhere"] }, io(), testStores({}))).rejects.toMatchObject({ code: "not_found" });
    const secret = io();
    expect(await sourcesAddCommand({ ...JSON_TOO, what: [join(root, "papers", ".env")] }, secret, testStores({}))).toBe(1);
    expect(answered(secret)).toMatchObject({ sources: [], refused: [{ code: "path_refused" }] });
  });

  it.each([
    ["nothing", ""],
    ["nothing but a byte order mark", "\uFEFF"],
    ["nothing but blanks and line feeds", " \n\t\r\n"],
  ])("are refused where they hold %s; others of their folder are added", async (_what, content) => {
    const root = testFolder();
    mkdirSync(join(root, "papers"));
    writeFileSync(join(root, "papers", "empty.md"), content);
    writeFileSync(join(root, "papers", "notes.md"), NOTES);
    const io = testIo({ cwd: root, env: { HOME: root } });
    expect(await sourcesAddCommand({ ...JSON_TOO, json: false, what: ["papers"] }, io, testStores({}))).toBe(1);
    expect(io.out()).toContain("Notes on sorting");
    expect(io.err()).toBe(`Not added: ${join(root, "papers", "empty.md")}: ${join(root, "papers", "empty.md")} is empty.\n`);
  });
});

describe("hypo sources verify", () => {
  it("finds nothing wrong, until bytes are changed", async () => {
    const { root, io, ids } = await openProjectWithFiles();
    const fine = io();
    expect(await sourcesVerifyCommand({ ...JSON_TOO, sources: [] }, fine, testStores({}))).toBe(0);
    expect(answered(fine)).toEqual({ v: 1, checked: 2, problems: [] });
    const place = join(root, ".hypo", "sources", ids.notes.slice(0, 2), ids.notes);
    writeFileSync(join(place, "original"), "forged");
    writeFileSync(join(place, "text.md"), "forged too");
    const bad = io();
    expect(await sourcesVerifyCommand({ ...JSON_TOO, sources: [] }, bad, testStores({}))).toBe(1);
    expect(answered(bad)).toMatchObject({ problems: [{ source: ids.notes }, { source: ids.notes }] });
  });
});

describe("hypo sources export", () => {
  it("writes bytes, texts, records and a bibliography", async () => {
    const { root, io, ids } = await openProjectWithFiles();
    await sourcesExportCommand({ ...JSON_TOO, sources: [], to: "out" }, io(), testStores({}));
    const files = readdirSync(join(root, "out"));
    expect(files).toEqual(expect.arrayContaining([`${ids.notes.slice(0, 12)}.md`, `${ids.data.slice(0, 12)}.csv`, "sources.json"]));
    expect(readFileSync(join(root, "out", "sources.bib"), "utf8")).toContain("title = {{Notes on sorting}}");
  });

  it("names what cannot be read, and exports the rest", async () => {
    const { root, io, ids } = await openProjectWithFiles();
    writeFileSync(join(root, ".hypo", "sources", ids.notes.slice(0, 2), ids.notes, "original"), "forged");
    const exporting = io();
    expect(await sourcesExportCommand({ ...JSON_TOO, sources: [], to: "out" }, exporting, testStores({}))).toBe(1);
    expect(answered(exporting)).toMatchObject({ sources: [ids.data], problems: [{ source: ids.notes }] });
    expect(readdirSync(join(root, "out"))).toContain(`${ids.data.slice(0, 12)}.csv`);
  });

  it("escapes what BibTeX would take for its own", () => {
    const url = "https://e.org/a_b";
    const retrieval = { url, final_url: url, retrieved_at: "2026-01-01T00:00:00Z", status: 200, backend: "direct" };
    const bibliography = { title: "50% {of} R&D_1", authors: ["Ada Lovelace", "\u200b", "}{", "others"], published: "2020-05-01" };
    const record = {
      v: 1,
      id: "a".repeat(64),
      size: 1,
      mime: "x",
      canonical: url,
      bibliography,
      retrievals: [retrieval],
      untrusted: true,
    } as const;
    const entry = bibtexOf({ ...record, retrievals: [...record.retrievals] });
    expect(entry).toContain(String.raw`title = {{50\% \textbraceleft{}of\textbraceright{} R\&D\_1}}`);
    expect(entry).toContain(String.raw`author = {Ada Lovelace and \textbraceright{}\textbraceleft{} and {others}}`);
    expect(entry).toContain("year = {2020}");
    expect(entry).toContain(`url = {${url}}`);
  });
});

describe("hypo sources gc", () => {
  const options = { ...JSON_TOO, olderThan: 0, dryRun: false };

  it("removes what nothing cites, and says so before it does", async () => {
    const { root, io, ids } = await openProjectWithFiles();
    const dry = io();
    await sourcesGcCommand({ ...options, dryRun: true }, dry, testStores({}));
    expect(answered(dry)).toMatchObject({ dry_run: true, removed: expect.arrayContaining([ids.notes, ids.data]) });
    mkdirSync(join(root, ".hypo", "memory", "findings"), { recursive: true });
    writeFileSync(join(root, ".hypo", "memory", "findings", "f-1.md"), `---\nsources:\n  - ${ids.notes}\n---\n`);
    const real = io();
    await sourcesGcCommand(options, real, testStores({}));
    expect(answered(real)).toMatchObject({ removed: [ids.data] });
  });

  it("keeps what is newer than asked for", async () => {
    const { io } = await openProjectWithFiles();
    const kept = io();
    await sourcesGcCommand({ ...options, olderThan: 1 }, kept, testStores({}));
    expect(answered(kept)).toMatchObject({ removed: [] });
  });

  it("keeps what a finding in a journal cites, on any branch, though its note is gone", async () => {
    const { root, io, ids } = await openProjectWithFiles();
    const facts = wholeRun().facts.map((fact) => {
      if (fact.type !== "finding_published") return fact;
      const evidence = [{ source: ids.data, quote: "1", text_sha256: "0".repeat(64), extractor: "plain/2", start: 0, end: 1 }];
      return Object.assign(fact, { data: { ...fact.data, finding: { ...fact.data.finding, evidence } } });
    });
    writeFileSync(join(addRun(root, "20260301-120000-x-0001"), "journal.jsonl"), "");
    const collected = io();
    await sourcesGcCommand(options, collected, testStores({ "20260301-120000-x-0001": facts }));
    expect(answered(collected)).toMatchObject({ removed: [ids.notes] });
  });

  const url = "https://e.org/";
  const read = (source: string): EventData<"source_stored"> => ({
    agent: "root",
    source,
    url,
    final_url: url,
    mime: "text/csv",
    size: 8,
    status: 200,
    backend: "direct",
  });

  it.each<[what: string, go: (facts: Fact[], data: string) => void]>([
    ["that was over and goes on", (facts, data) => appendFact(facts, "main", "source_stored", read(data))],
    ["with a fork that is at work", (facts, data) => appendFact(facts, "fork", "source_stored", read(data))],
  ])("keeps what was read by a run %s, for it may be cited yet", async (_what, go) => {
    const { root, io, ids } = await openProjectWithFiles();
    const facts = wholeRun().facts;
    expect(facts.at(-1)?.type).toBe("run_finished");
    go(facts, ids.data);
    writeFileSync(join(addRun(root, "20260301-120000-x-0001"), "journal.jsonl"), "");
    const collected = io();
    await sourcesGcCommand(options, collected, testStores({ "20260301-120000-x-0001": facts }));
    expect(answered(collected)).toMatchObject({ removed: [ids.notes] });
  });

  it("keeps what is cited by notes and runs that are kept elsewhere, behind links", async () => {
    const { root, io, ids } = await openProjectWithFiles();
    const elsewhere = testFolder();
    writeFileSync(join(elsewhere, "f-1.md"), `---\nsources:\n  - ${ids.notes}\n---\n`);
    mkdirSync(join(root, ".hypo", "memory"), { recursive: true });
    symlinkSync(elsewhere, join(root, ".hypo", "memory", "findings"));
    symlinkSync(join(root, ".hypo", "memory"), join(elsewhere, "round"));
    const moved = join(testFolder(), "20260301-120000-x-0001");
    mkdirSync(moved);
    writeFileSync(join(moved, "journal.jsonl"), "");
    mkdirSync(join(root, ".hypo", "runs"), { recursive: true });
    symlinkSync(moved, join(root, ".hypo", "runs", "20260301-120000-x-0001"));
    const facts = new FactList().start().add("source_stored", read(ids.data)).facts;
    const collected = io();
    await sourcesGcCommand(options, collected, testStores({ "20260301-120000-x-0001": facts }));
    expect(answered(collected)).toMatchObject({ removed: [] });
  });

  it("removes nothing while something that is no file stands in place of what may cite", async () => {
    const { root, io } = await openProjectWithFiles();
    mkdirSync(join(root, ".hypo", "memory", "findings"), { recursive: true });
    makePipe(join(root, ".hypo", "memory", "findings", "f-1.md"));
    await expect(sourcesGcCommand(options, io(), testStores({}))).rejects.toMatchObject({ code: "storage_failed" });
  });

  it("removes nothing while a journal cannot be read", async () => {
    const { root, io, ids } = await openProjectWithFiles();
    writeFileSync(join(addRun(root, "20260301-120000-x-0001"), "journal.jsonl"), "torn");
    await expect(sourcesGcCommand(options, io(), testStores({}))).rejects.toMatchObject({ code: "run_damaged" });
    expect(readdirSync(join(root, ".hypo", "sources", ids.notes.slice(0, 2)))).toEqual([ids.notes]);
  });
});

describe("hypo sources refresh", () => {
  it("looks at the person's own files again", async () => {
    const { root, io, ids } = await openProjectWithFiles();
    const refresh = async (): Promise<unknown> => {
      const refreshing = io();
      await sourcesRefreshCommand({ ...JSON_TOO, sources: [ids.notes] }, refreshing, testStores({}));
      return answered(refreshing);
    };
    expect(await refresh()).toMatchObject({ sources: [{ outcome: "unchanged" }] });
    writeFileSync(join(root, "papers", "notes.md"), "# Other notes\n");
    expect(await refresh()).toMatchObject({ sources: [{ outcome: "changed", now: sha256("# Other notes\n") }] });
    rmSync(join(root, "papers", "notes.md"));
    expect(await refresh()).toMatchObject({ sources: [{ outcome: "failed", problem: expect.stringContaining("notes.md") }] });
  });

  it("asks on condition of a change, records every asking, and keeps the old beside the new", async () => {
    const root = testFolder();
    let version = 1;
    const conditions: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      conditions.push(request.headers["if-none-match"]);
      const etag = `"${version}"`;
      const headers = { "content-type": "text/plain", etag };
      if (request.headers["if-none-match"] === etag) response.writeHead(304, headers).end();
      else response.writeHead(200, headers).end(`version ${version}`);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    mkdirSync(join(root, ".hypo"));
    const env = { HOME: root, HYPO_GATEWAY_ALLOW_HOSTS: `127.0.0.1:${port}` };
    const io = (): TestIo => testIo({ cwd: root, env });
    const stores = testStores({});
    expect(await sourcesAddCommand({ ...JSON_TOO, what: [`http://127.0.0.1:${port}/`] }, io(), stores)).toBe(0);
    const refresh = async (): Promise<unknown> => {
      const refreshing = io();
      await sourcesRefreshCommand({ ...JSON_TOO, sources: [sha256("version 1")] }, refreshing, stores);
      return answered(refreshing);
    };
    expect(await refresh()).toMatchObject({ sources: [{ outcome: "unchanged" }] });
    version = 2;
    expect(await refresh()).toMatchObject({ sources: [{ outcome: "changed", now: sha256("version 2") }] });
    expect(conditions).toEqual([undefined, '"1"', '"1"']);
    const path = join(root, ".hypo", "sources", sha256("version 1").slice(0, 2), sha256("version 1"), "metadata.json");
    const { retrievals } = JSON.parse(readFileSync(path, "utf8")) as { retrievals: { status: number; etag: string }[] };
    expect(retrievals.map(({ status, etag }) => [status, etag])).toEqual([
      [200, '"1"'],
      [304, '"1"'],
    ]);
    rmSync(path);
    await expect(refresh()).rejects.toMatchObject({ code: "not_found" });
  });

  it("names what of all runs rests on what changed, and `memory stale` lists it from then on", async () => {
    const root = testFolder();
    let page = "We measured 41 swaps.\n";
    const server = createServer((_, response) => response.writeHead(200, { "content-type": "text/plain" }).end(page));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    mkdirSync(join(root, ".hypo"));
    mkdirSync(join(root, "config", "hypo"), { recursive: true });
    writeFileSync(join(root, "config", "hypo", "config.yaml"), `gateway:\n  allow_hosts: ["127.0.0.1:${port}"]\n`);
    const io = (): TestIo => testIo({ cwd: root, env: { HOME: root, XDG_CONFIG_HOME: join(root, "config") } });
    const cited = sha256(page);
    const evidence = [{ source: cited, quote: "41 swaps", text_sha256: cited, extractor: "plain/2", start: 12, end: 20 }];
    const run = addRun(root, RUN);
    writeFileSync(join(run, "journal.jsonl"), "");
    const facts = new FactList().start().publish({ id: "f-1", type: "fact", statement: "It takes 41 swaps.", evidence }).facts;
    writeFileSync(join(run, "report.json"), JSON.stringify(REPORT_ON_F1));
    const stores = testStores({ [RUN]: facts });
    await sourcesAddCommand({ ...JSON_TOO, what: [`http://127.0.0.1:${port}/`] }, io(), stores);
    const ask = async (command: (io: TestIo) => Promise<number>): Promise<TestIo> => {
      const asking = io();
      await command(asking);
      return asking;
    };
    const refresh = (): Promise<TestIo> => ask((each) => sourcesRefreshCommand({ ...JSON_TOO, sources: [cited] }, each, stores));
    const listStale = (): Promise<TestIo> => ask((each) => memoryStaleCommand(JSON_TOO, each, stores));

    expect(answered(await refresh())).toMatchObject({ sources: [{ outcome: "unchanged" }], stale: [] });
    expect(answered(await listStale())).toMatchObject({ stale: [] });
    page = "We measured 14 swaps.\n";
    const resting = [
      { kind: "finding", id: "f-1", run: RUN, through: [cited], why: expect.stringContaining("reads differently") },
      { kind: "sentence", through: [cited, "f-1"] },
    ];
    const refreshed = await refresh();
    expect(answered(refreshed)).toMatchObject({ sources: [{ outcome: "changed", now: sha256(page) }], stale: resting });
    expect(refreshed.err()).toContain("2 results of runs rest on what changed: `hypo memory stale` lists them.");
    expect(answered(await listStale())).toMatchObject({ stale: resting });
  });
});
