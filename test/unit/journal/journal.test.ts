import { readFile, stat, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { JournalRecord, RunEvent } from "../../../src/domain/events.ts";
import { Journal } from "../../../src/engine/journal/journal.ts";
import { clock, collect, errorOf, journalFile, makeTestFolder, opened, readLines, seqs, started } from "./support.ts";

describe("a new journal", () => {
  test("starts with the branch main at 0 and no facts", async () => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    expect([...journal.heads]).toEqual([["main", 0]]);
    expect(await seqs(journal.allFacts())).toEqual([]);
    expect(await seqs(journal.ancestry("main"))).toEqual([]);
    expect(await readLines(folder)).toHaveLength(1);
  });

  test("can be read by its owner alone", async () => {
    const folder = await makeTestFolder();
    await opened(Journal.create(folder, { clock }));
    expect((await stat(journalFile(folder))).mode & 0o777).toBe(0o600);
  });

  test("is not made over one that exists", async () => {
    const folder = await makeTestFolder();
    const journal = await Journal.create(folder, { clock });
    await journal.close();
    const before = await readFile(journalFile(folder));
    expect(await errorOf(() => Journal.create(folder, { clock }))).toMatchObject({ code: "refused" });
    expect(await readFile(journalFile(folder))).toEqual(before);
    await (await Journal.open(folder, { clock })).close();
  });

  test("is not found where there is none, and no lock is left behind", async () => {
    const folder = await makeTestFolder();
    expect(await errorOf(() => Journal.open(folder, { clock }))).toMatchObject({ code: "run_damaged" });
    expect(await errorOf(() => Journal.read(folder))).toMatchObject({ code: "run_damaged" });
    await (await Journal.create(folder, { clock })).close();
  });
});

describe("appending", () => {
  test("numbers facts at once and makes them durable together", async () => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    const first = journal.append("main", 0, [started("a"), started("b")]);
    const second = journal.append("main", 2, [started("c")]);
    expect([...first.facts, ...second.facts].map((fact) => [fact.seq, fact.parent])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    await second.durable;
    expect(await readLines(folder)).toHaveLength(4);
    await first.durable;
  });

  test("is durable only when the disk has said so", async () => {
    const passed: string[] = [];
    const journal = await opened(Journal.create(await makeTestFolder(), { clock, crashAt: (point) => passed.push(point) }));
    passed.length = 0;
    await journal.append("main", 0, [started("a")]).durable.then(() => passed.push("durable"));
    expect(passed).toEqual(["journal.before_write", "journal.after_write", "journal.after_sync", "durable"]);
  });

  test("is refused where the head has moved, and places nothing", async () => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    await journal.append("main", 0, [started("a")]).durable;
    const error = await errorOf(() => journal.append("main", 0, [started("b")]));
    expect(error).toMatchObject({ code: "journal_conflict" });
    expect(error.message).toContain('"main" is at 1, expected 0');
    expect(journal.head("main")).toBe(1);
    await journal.flush();
    expect(await readLines(folder)).toHaveLength(2);
  });

  test("to a branch that does not exist names those that do", async () => {
    const journal = await opened(Journal.create(await makeTestFolder(), { clock }));
    const error = await errorOf(() => journal.append("other", 0, [started("a")]));
    expect(error).toMatchObject({ code: "not_found", hint: "It has: main." });
  });

  test("refuses an event that does not fit its schema, together with those beside it", async () => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    const wrong = { type: "agent_started", data: { agent: "root" } } as unknown as RunEvent;
    const error = await errorOf(() => journal.append("main", 0, [started("a"), wrong]));
    expect(error).toMatchObject({ code: "internal" });
    expect(error.message).toContain("agent_started event does not fit its schema: prompt");
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const call: RunEvent = { type: "tool_started", data: { agent: "root", call: "1", tool: "read", args: cyclic } };
    expect(await errorOf(() => journal.append("main", 0, [call]))).toMatchObject({ code: "internal" });
    expect(journal.head("main")).toBe(0);
    expect(await readLines(folder)).toHaveLength(1);
  });

  test("gives facts as a later reader will see them, whatever becomes of the event", async () => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    const args = { n: Number.NaN, gone: undefined, when: new Date(0), text: "\ud800 ü 漢\u2028\n" };
    const { facts, durable } = journal.append("main", 0, [
      { type: "tool_started", data: { agent: "root", call: "1", tool: "read", args } },
      { type: "run_resumed", data: { reason: "new process", changes: [], unknown: 1 } as never },
    ]);
    args.text = "changed";
    await durable;
    expect(facts[0]?.data).toMatchObject({ args: { n: null, when: "1970-01-01T00:00:00.000Z", text: "\ud800 ü 漢\u2028\n" } });
    expect(facts[1]?.data).toEqual({ reason: "new process", changes: [] });
    expect(await collect(journal.allFacts())).toEqual(facts);
  });

  test("of nothing is durable when all before it is", async () => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    void journal.append("main", 0, [started("a")]);
    await journal.append("main", 1, []).durable;
    expect(await readLines(folder)).toHaveLength(2);
  });

  test("after closing is refused, and closing twice is the same as once", async () => {
    const folder = await makeTestFolder();
    const journal = await Journal.create(folder, { clock });
    void journal.append("main", 0, [started("a")]);
    await Promise.all([journal.close(), journal.close()]);
    expect(await readLines(folder)).toHaveLength(2);
    expect((await errorOf(() => journal.append("main", 1, [started("b")]))).message).toContain("is closed");
    expect((await errorOf(() => journal.flush())).message).toContain("is closed");
  });

  test("from many writers at once shares syncs and loses nothing", async () => {
    const folder = await makeTestFolder();
    let syncs = 0;
    const crashAt = (point: string) => (syncs += point === "journal.after_sync" ? 1 : 0);
    const journal = await opened(Journal.create(folder, { clock, crashAt }));
    let written = 0;
    const write = async () => {
      while (written < 320) {
        written += 1;
        await journal.append("main", journal.head("main"), [started("x")]).durable;
      }
    };
    await Promise.all(Array.from({ length: 16 }, write));
    expect(await seqs(journal.allFacts())).toHaveLength(320);
    expect(syncs).toBe(320 / 16);
  });
});

describe("branches", () => {
  test("share what lies before the fork and nothing after it", async () => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    void journal.append("main", 0, [started("1"), started("2")]);
    void journal.moveBranch("other", 1, undefined, "try another way");
    expect(journal.isUnforked).toBe(true);
    void journal.append("other", 1, [started("3")]);
    void journal.append("main", 2, [started("4")]);
    expect(await seqs(journal.ancestry("other"))).toEqual([1, 3]);
    expect(await seqs(journal.ancestry("main"))).toEqual([1, 2, 4]);
    expect(await seqs(journal.allFacts())).toEqual([1, 2, 3, 4]);
    expect(journal.isUnforked).toBe(false);
  });

  test("can be rewound without losing a record, and numbers are never used again", async () => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    void journal.append("main", 0, [started("1"), started("2"), started("3")]);
    await journal.moveBranch("main", 1, 3, "went wrong").durable;
    const { facts } = journal.append("main", 1, [started("4")]);
    expect(facts[0]).toMatchObject({ seq: 4, parent: 1 });
    expect(await seqs(journal.ancestry("main"))).toEqual([1, 4]);
    expect(await seqs(journal.allFacts())).toEqual([1, 2, 3, 4]);
  });

  test("keep the ancestry that was asked for, whatever is appended while it is read", async () => {
    const journal = await opened(Journal.create(await makeTestFolder(), { clock }));
    void journal.append("main", 0, [started("1"), started("2")]);
    const asked = journal.ancestry("main");
    void journal.moveBranch("main", 1, 2, "rewound");
    void journal.append("main", 1, [started("3")]);
    expect(await seqs(asked)).toEqual([1, 2]);
  });

  test.each([
    ["a name that is taken", "main", 0, undefined, "exists already"],
    ["a fact that is not there", "other", 9, undefined, "there is no fact 9"],
    ["a negative head", "other", -1, undefined, "there is no fact -1"],
    ["a head between facts", "other", 0.5, undefined, "there is no fact 0.5"],
    ["a head that has moved", "main", 0, 2, "its head was at 1"],
    ["a branch to move that is not there", "other", 0, 0, "its head was nowhere"],
    ["a name that leaves the folder", "../x", 0, undefined, "cannot name a branch"],
    ["an empty name", "", 0, undefined, "cannot name a branch"],
  ])("are not made or moved with %s", async (_, branch, head, from, message) => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    await journal.append("main", 0, [started("1")]).durable;
    const error = await errorOf(() => journal.moveBranch(branch, head, from, "test"));
    expect(error).toMatchObject({ code: "journal_conflict" });
    expect(error.message).toContain(message);
    expect([...journal.heads]).toEqual([["main", 1]]);
    expect(await readLines(folder)).toHaveLength(2);
  });
});

describe("reading", () => {
  test("hands every record over once, in order, when a journal is opened", async () => {
    const folder = await makeTestFolder();
    const journal = await Journal.create(folder, { clock });
    const { facts } = journal.append("main", 0, [started("1")]);
    const { move } = journal.moveBranch("other", 1, undefined, "test");
    await journal.close();
    const records: JournalRecord[] = [];
    await opened(Journal.open(folder, { clock, onRecord: (record) => records.push(record) }));
    expect(records.slice(1)).toEqual([...facts, move]);
    expect(records[0]).toMatchObject({ branch: "main", head: 0 });
  });

  test("needs no lock, changes nothing, and leaves out a line that is still being written", async () => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    await journal.append("main", 0, [started("1"), started("2")]).durable;
    const whole = await readFile(journalFile(folder));
    const unfinished = Buffer.concat([whole, whole.subarray(0, 50)]);
    await writeFile(journalFile(folder), unfinished);
    const reading = await Journal.read(folder);
    expect(reading.torn).toMatchObject({ byte: whole.length, bytes: 50, line: 4, why: "it is not terminated" });
    expect([...reading.heads]).toEqual([["main", 2]]);
    expect(await seqs(reading.ancestry("main"))).toEqual([1, 2]);
    expect(await seqs(reading.allFacts())).toEqual([1, 2]);
    expect(await errorOf(() => reading.ancestry("other"))).toMatchObject({ code: "not_found" });
    expect(await readFile(journalFile(folder))).toEqual(unfinished);
  });

  test("follows a journal that is being written, record by record", async () => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    const records: JournalRecord[] = [];
    const reading = await Journal.read(folder);
    await reading.readOn((record) => records.push(record));
    expect(records).toEqual([]);
    const first = journal.append("main", 0, [started("1"), started("2")]);
    await first.durable;
    await reading.readOn((record) => records.push(record));
    expect(records).toEqual(first.facts);
    const { move, durable } = journal.moveBranch("other", 1, undefined, "test");
    await durable;
    await reading.readOn((record) => records.push(record));
    expect(records.at(-1)).toEqual(move);
    expect([...reading.heads]).toEqual([...journal.heads]);
    expect(await collect(reading.ancestry("other"))).toEqual(first.facts.slice(0, 1));
  });

  test("that follows a journal names the line where it finds damage, and takes up a line once it is whole", async () => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    await journal.append("main", 0, [started("1"), started("2"), started("3")]).durable;
    const whole = await readFile(journalFile(folder), "utf8");
    const [first = "", second = ""] = whole.split("\n");
    await writeFile(journalFile(folder), `${first}\n${second.slice(0, 40)}`);
    const reading = await Journal.read(folder);
    expect(reading.torn).toMatchObject({ line: 2 });
    await writeFile(journalFile(folder), `${first}\n${second}\n`);
    await reading.readOn();
    expect(reading.torn).toBeUndefined();
    expect(reading.heads.get("main")).toBe(1);
    await writeFile(journalFile(folder), whole.replace('"2"', '"X"'));
    expect((await errorOf(() => reading.readOn())).message).toContain("at line 3");
  });

  test("copes with lines longer than what is read at a time", async () => {
    const folder = await makeTestFolder();
    const journal = await opened(Journal.create(folder, { clock }));
    const texts = ["a", "ü".repeat(700_000), "b", "x".repeat(1 << 20), "c"];
    const { facts, durable } = journal.append("main", 0, texts.map(started));
    await durable;
    expect(await collect(journal.ancestry("main"))).toEqual(facts);
    expect(await collect((await Journal.read(folder)).allFacts())).toEqual(facts);
  });
});
