import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeEach, describe, expect, it } from "vitest";
import { memoryAddCommand, memoryLinkCommand, memoryRetireCommand } from "../../../src/cli/commands/memory-change.ts";
import { memoryCheckCommand } from "../../../src/cli/commands/memory-check.ts";
import { memoryExportCommand, memoryListCommand } from "../../../src/cli/commands/memory-list.ts";
import { memoryRebuildCommand } from "../../../src/cli/commands/memory-rebuild.ts";
import { memorySearchCommand } from "../../../src/cli/commands/memory-search.ts";
import { memoryShowCommand } from "../../../src/cli/commands/memory-show.ts";
import { sha256 } from "../../../src/domain/hash.ts";
import { noteForFinding } from "../../../src/memory/notes/finding-note.ts";
import { makeFinding } from "../memory/findings.ts";
import { FactList, RUN } from "./a-run.ts";
import { testIo, type TestIo } from "./test-io.ts";
import { addRun, testFolder, testStores } from "./test-project.ts";

const PLAIN = { json: false, debug: false, agentDir: undefined };
const ALL = {
  type: undefined,
  status: undefined,
  run: undefined,
  source: undefined,
  before: undefined,
  after: undefined,
  relatedTo: undefined,
};
const SEARCH = { ...PLAIN, ...ALL, limit: 5, explain: false };

const finding = makeFinding({ run: RUN, created: "2026-02-22T00:00:00.000Z", title: "Cach\u001b[31ming halves the latency" });
const note = noteForFinding(finding);
const facts = new FactList()
  .start()
  .add("finding_published", { agent: "root.1", call: "c", finding, note: note.path, note_sha256: sha256(note.text) }).facts;
const stores = testStores({ [RUN]: facts });

let root: string;
let io: TestIo;
beforeEach(() => {
  root = testFolder();
  addRun(root, RUN);
  mkdirSync(join(root, ".hypo/memory/findings"), { recursive: true });
  writeFileSync(join(root, ".hypo/memory", note.path), note.text);
  io = testIo({ cwd: root });
});

const edit = (change: (text: string) => string) => writeFileSync(join(root, ".hypo/memory", note.path), change(note.text));

describe("hypo memory search", () => {
  it("shows each note with type, status, age, snippet and path, made plain", async () => {
    expect(await memorySearchCommand({ ...SEARCH, query: "caches" }, io, stores)).toBe(0);
    expect(io.out()).toMatch(/^Cach.*ming halves the latency {2}fact, observed, 1 week old\n {2}A shared \*\*cache\*\*/);
    expect(io.out()).toContain(`f-0123456789  memory/findings/`);
    expect(io.out()).not.toContain("\u001b");
  });

  it("explains a score and corrects a misspelt word", async () => {
    await memorySearchCommand({ ...SEARCH, query: "latecny", explain: true }, io, stores);
    expect(io.err()).toContain("latecny -> latency");
    expect(io.out()).toMatch(/score \d\.\d\d = latecny \d\.\d\d \+ 0\.00 from notes like it/);
  });

  it("offers the closest spelling where nothing is found", async () => {
    await memorySearchCommand({ ...SEARCH, query: '"halves latecny"' }, io, stores);
    expect(io.err()).toMatch(/Nothing found\. Did you mean: latecny -> latenc/);
  });

  it("filters by options, and refuses what is no day", async () => {
    await memorySearchCommand({ ...SEARCH, query: "cache", run: "last", before: "2026-03" }, io, stores);
    expect(io.out()).toContain("f-0123456789");
    await memorySearchCommand({ ...SEARCH, query: "cache", after: "2026-03" }, io, stores);
    expect(io.err()).toMatch(/Nothing found\.\n$/);
    await expect(memorySearchCommand({ ...SEARCH, query: "cache", after: "soon" }, io, stores)).rejects.toMatchObject({ code: "usage" });
  });

  it("marks a note that was edited since it was published", async () => {
    await memorySearchCommand({ ...SEARCH, query: "cache" }, io, stores);
    expect(io.out()).not.toContain("edited since published");
    edit((text) => text.replace("median latency", "mean latency"));
    await memorySearchCommand({ ...SEARCH, query: "cache" }, io, stores);
    expect(io.out()).toMatch(/1 week old {2}edited since published\n/);
    const json = testIo({ cwd: root });
    await memorySearchCommand({ ...SEARCH, json: true, query: "cache" }, json, stores);
    expect(JSON.parse(json.out())).toMatchObject({ hits: [{ id: "f-0123456789", edited: true }] });
    expect(json.out()).not.toContain("sha256");
  });

  it("says where there is no project", async () => {
    const nowhere = testIo({ cwd: testFolder() });
    await expect(memorySearchCommand({ ...SEARCH, query: "x" }, nowhere, stores)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("hypo memory show", () => {
  it("renders the note at a terminal, and gives the file elsewhere", async () => {
    await memoryShowCommand({ ...PLAIN, note: "f-01" }, io, stores);
    expect(io.out()).toContain("---\nid: f-0123456789\n");
    const terminal = testIo({ cwd: root, isTty: { stdin: false, stdout: true, stderr: false } });
    await memoryShowCommand({ ...PLAIN, note: "f-01" }, terminal, stores);
    expect(terminal.out()).toContain("\nStatement\n\nA shared cache halves the median latency of reads.\n");
    expect(terminal.out()).not.toContain("edited since published");
  });

  it("says that a note was edited since it was published", async () => {
    edit((text) => text.replace("median latency", "mean latency"));
    const terminal = testIo({ cwd: root, isTty: { stdin: false, stdout: true, stderr: false } });
    await memoryShowCommand({ ...PLAIN, note: "f-0123456789" }, terminal, stores);
    expect(terminal.out()).toContain("edited since published");
    await memoryShowCommand({ ...PLAIN, json: true, note: "f-0123456789" }, io, stores);
    expect(JSON.parse(io.out())).toMatchObject({ edited: true, note: { id: "f-0123456789" } });
  });
});

describe("a broken note", () => {
  const told = /^1 note in memory is broken and left out; `hypo memory check` says which and why\.\n/m;

  beforeEach(() => writeFileSync(join(root, ".hypo/memory/findings/owls-f-99.md"), "---\nid: f-99\ntags: [a\n---\n"));

  it("is mentioned by search, list, show, export and rebuild", async () => {
    const commands: ((own: TestIo) => Promise<number>)[] = [
      (own) => memorySearchCommand({ ...SEARCH, query: "cache" }, own, stores),
      (own) => memoryListCommand({ ...PLAIN, ...ALL, limit: 5 }, own, stores),
      (own) => memoryShowCommand({ ...PLAIN, note: "f-01" }, own, stores),
      (own) => memoryExportCommand(PLAIN, own, stores),
      (own) => memoryRebuildCommand(PLAIN, own, stores),
    ];
    for (const command of commands) {
      const own = testIo({ cwd: root });
      await command(own);
      expect(own.err()).toMatch(told);
    }
  });

  it("is named with its line when it is asked for", async () => {
    await expect(memoryShowCommand({ ...PLAIN, note: "f-99" }, io, stores)).rejects.toMatchObject({
      code: "note_broken",
      message: expect.stringMatching(/^memory\/findings\/owls-f-99\.md, line 4: /),
    });
  });
});

describe("hypo memory add, link and retire", () => {
  it("write notes, relations and successors", async () => {
    await memoryAddCommand(
      { ...PLAIN, json: true, type: "decision", title: "Cache reads only", text: undefined },
      testIo({ ...io, openStdin: () => Readable.from(["Because writes are rare."]) }),
      stores,
    );
    const { id, path } = JSON.parse(io.out()) as { id: string; path: string };
    expect(readFileSync(join(root, ".hypo/memory", path), "utf8")).toContain("Because writes are rare.");
    await memoryLinkCommand({ ...PLAIN, from: id, kind: "refines", to: "f-0123456789" }, io, stores);
    await memoryRetireCommand({ ...PLAIN, note: "f-0123456789", successor: id }, io, stores);
    expect(io.out()).toContain(`f-0123456789 is outdated now; see ${id}.`);
    await expect(memoryLinkCommand({ ...PLAIN, from: id, kind: "likes", to: id }, io, stores)).rejects.toMatchObject({ code: "usage" });
  });
});

describe("hypo memory check", () => {
  it("tells edits from faults", async () => {
    expect(await memoryCheckCommand(PLAIN, io, stores)).toBe(0);
    expect(io.out()).toBe("1 note, nothing to mend.\n");
    edit((text) => text.replace("status: observed", "status: corroborated"));
    expect(await memoryCheckCommand({ ...PLAIN, json: true }, testIo({ ...io }), stores)).toBe(1);
    const checked = JSON.parse(io.out().split("\n")[1] ?? "") as unknown;
    expect(checked).toMatchObject({
      edited: [{ run: RUN }],
      rules: [{ id: "f-0123456789", message: expect.stringContaining("this is 0") }],
    });
  });
});

describe("hypo memory list, export and rebuild", () => {
  it("give the notes as a table, as lines of JSON, and indexed anew", async () => {
    await memoryListCommand({ ...PLAIN, ...ALL, limit: 5 }, io, stores);
    expect(io.out()).toContain("f-0123456789");
    const lines = testIo({ cwd: root });
    await memoryExportCommand(PLAIN, lines, stores);
    expect(JSON.parse(lines.out())).toMatchObject({
      v: 1,
      id: "f-0123456789",
      path: note.path,
      sections: [{ heading: "Statement" }, {}, {}, {}],
    });
    const rebuilt = testIo({ cwd: root });
    await memoryRebuildCommand(PLAIN, rebuilt, stores);
    expect(rebuilt.out()).toBe("Indexed 1 file in 0.0 s.\n");
  });
});
