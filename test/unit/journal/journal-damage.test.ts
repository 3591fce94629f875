import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Journal } from "../../../src/engine/journal/journal.ts";
import { clock, collect, errorOf, journalFile, makeTestFolder, opened, seqs, started } from "./support.ts";

const at = "2026-01-02T03:04:05.678Z";
const move = { v: 1, branch: "main", head: 0, reason: "run created", at };
const fact = { v: 1, seq: 1, parent: 0, branch: "main", at, type: "agent_started", data: { agent: "root", prompt: "one" } };

/** Five records: `main`, facts 1 to 3, and a fork. */
const texts = [
  move,
  fact,
  { ...fact, seq: 2, parent: 1, data: { agent: "root", prompt: "zwei 漢" } },
  { ...fact, seq: 3, parent: 2, data: { agent: "root", prompt: "drei" } },
  { v: 1, branch: "other", head: 2, reason: "fork", at },
].map((record) => sealed(record).trimEnd());
const sample = Buffer.from(texts.map((text) => `${text}\n`).join(""));
const starts = texts.map((_, line) => byteOf(sample.toString(), line + 1));

/** Cuts the sample at `cut`, and expects that it is read and repaired up to `kept`. */
async function expectRepaired(cut: number, kept: number): Promise<void> {
  const folder = await folderWith(sample.subarray(0, cut));
  const notes: string[] = [];
  const journal = await Journal.open(folder, { clock, say: (line) => notes.push(line) });
  expect(await readFile(journalFile(folder))).toEqual(sample.subarray(0, kept));
  expect(await seqs(journal.allFacts())).toEqual(kept === starts[3] ? [1, 2] : [1, 2, 3]);
  expect(journal.heads.has("other")).toBe(kept === sample.length);
  const torn = await readFile(join(folder, "journal.torn")).catch(() => undefined);
  expect(torn).toEqual(cut === kept ? undefined : Buffer.concat([sample.subarray(kept, cut), Buffer.from("\n")]));
  expect(notes).toHaveLength(cut === kept ? 0 : 1);
  await journal.append("main", journal.head("main"), [started("after")]).durable;
  await journal.close();
  const again = await opened(Journal.open(folder, { clock }));
  expect((await collect(again.ancestry("main"))).at(-1)?.data).toMatchObject({ prompt: "after" });
}

async function folderWith(content: Buffer | string): Promise<string> {
  const folder = await makeTestFolder();
  await writeFile(journalFile(folder), content);
  return folder;
}

test("a journal is written byte for byte as its format says", async () => {
  const folder = await makeTestFolder();
  const journal = await Journal.create(folder, { clock: { ...clock, now: () => new Date(at) } });
  void journal.append("main", 0, [started("one"), started("zwei 漢")]);
  void journal.append("main", 2, [started("drei")]);
  void journal.moveBranch("other", 2, undefined, "fork");
  await journal.close();
  expect(await readFile(journalFile(folder), "utf8")).toBe(sample.toString());
});

describe("a journal whose end was cut off", () => {
  test("is repaired at every byte of its last two lines, and keeps what was torn", async () => {
    const [start = 0, lastStart = 0] = starts.slice(-2);
    const cuts = Array.from({ length: sample.length - start + 1 }, (_, index) => start + index);
    await Promise.all(cuts.map((cut) => expectRepaired(cut, cut === sample.length ? cut : cut >= lastStart ? lastStart : start)));
    expect(cuts).toHaveLength(texts.slice(-2).join("\n").length + 2);
  });

  test("says which line went where", async () => {
    const folder = await folderWith(sample.subarray(0, -3));
    const notes: string[] = [];
    await opened(Journal.open(folder, { clock, say: (line) => notes.push(line) }));
    expect(notes).toEqual([
      expect.stringMatching(
        /^Moved the unfinished last line of the journal \(line 5, \d+ bytes: it is not terminated\) to journal\.torn\.$/,
      ),
    ]);
  });

  test("keeps the whole lines of a batch whose last line is torn", async () => {
    const folder = await folderWith(sample);
    const journal = await Journal.open(folder, { clock });
    await journal.append("main", 3, [started("4"), started("5"), started("6")]).durable;
    await journal.close();
    const size = (await readFile(journalFile(folder))).length;
    await truncate(journalFile(folder), size - 20);
    const again = await opened(Journal.open(folder, { clock }));
    expect(await seqs(again.ancestry("main"))).toEqual([1, 2, 3, 4, 5]);
  });

  test("collects torn ends one after the other", async () => {
    const folder = await folderWith(sample);
    for (const tail of ["first", "second"]) {
      await appendFile(journalFile(folder), tail);
      await (await Journal.open(folder, { clock })).close();
    }
    expect(await readFile(join(folder, "journal.torn"), "utf8")).toBe("first\nsecond\n");
    expect(await readFile(journalFile(folder))).toEqual(sample);
  });

  test.each([
    ["zeros, as a power cut may leave them", Buffer.alloc(5000)],
    ["a line with a wrong check sum", Buffer.from('{"v":1,"seq":4,"crc":"00000000"}\n')],
    ["an empty line", Buffer.from("\n")],
  ])("or that ends in %s is repaired", async (_, tail) => {
    const folder = await folderWith(Buffer.concat([sample, tail]));
    await opened(Journal.open(folder, { clock }));
    expect(await readFile(journalFile(folder))).toEqual(sample);
  });

  test.each([
    ["nothing", ""],
    ["half of its first line", '{"v":1,"branch":"main","head"'],
  ])("down to %s is damaged, since a journal is made with its first record", async (_, content) => {
    const folder = await folderWith(content);
    const error = await errorOf(() => Journal.open(folder, { clock }));
    expect(error).toMatchObject({ code: "run_damaged" });
    expect(error.message).toContain("line 1 (byte 0)");
    expect(await readFile(journalFile(folder), "utf8")).toBe(content);
  });
});

describe("a journal with a flipped bit", () => {
  test("is never read as if it were whole", async () => {
    const folder = await folderWith(sample);
    const lastStart = starts.at(-1) ?? 0;
    for (let byte = 0; byte < sample.length; byte += 1) {
      const flipped = Buffer.from(sample);
      flipped[byte] = (flipped[byte] ?? 0) ^ (1 << (byte % 8));
      await writeFile(journalFile(folder), flipped);
      const outcome = await Journal.read(folder).then(
        (reading) => ({ torn: reading.torn?.byte, line: 0 }),
        (error: unknown) => ({ torn: undefined, line: Number(/line (\d+)/.exec(String(error))?.[1]) }),
      );
      const line = starts.findLastIndex((start) => start <= byte) + 1;
      const isFinal = byte >= lastStart - 1;
      const accepted = isFinal
        ? [
            { torn: starts[line - 1], line: 0 },
            { torn: undefined, line },
          ]
        : [{ torn: undefined, line }];
      expect(accepted, `byte ${byte}`).toContainEqual(outcome);
    }
  });
});

describe("a journal that is damaged elsewhere", () => {
  test.each([
    ["a line before the last fails its check sum", () => replaceIn(1, '"one"', '"two"'), 2, "check sum does not match"],
    ["a line before the last is cut", () => `${text(0)}\n${text(1).slice(0, 30)}\n${text(2)}\n`, 2, "does not end with a check sum"],
    ["a line is missing", () => `${text(0)}\n${text(2)}\n`, 2, "its seq is 2, expected 1"],
    ["a line is there twice", () => `${text(0)}\n${text(1)}\n${text(1)}\n`, 3, "its seq is 1, expected 2"],
    ["lines have changed places", () => `${text(0)}\n${text(2)}\n${text(1)}\n${text(3)}\n`, 2, "its seq is 2, expected 1"],
    ["the first record is missing", () => `${text(1)}\n`, 1, 'no record before it created the branch "main"'],
    ["the first record makes another branch", () => sealed({ ...move, branch: "other" }), 1, 'must create "main" at 0'],
    ["a parent is not the head", () => `${text(0)}\n${text(1)}\n${sealed({ ...fact, seq: 2, parent: 0 })}`, 3, "its parent is 0"],
    ["a branch was never made", () => `${text(0)}\n${sealed({ ...fact, branch: "ghost" })}`, 2, 'created the branch "ghost"'],
    ["a move starts elsewhere", () => `${text(0)}\n${sealed({ ...move, from: 4 })}`, 2, 'moves "main" from 4, but its head was at 0'],
    ["a branch leaves the folder", () => `${text(0)}\n${sealed({ ...move, branch: "../x" })}`, 2, "cannot name a branch"],
    ["a record is of a newer version", () => `${text(0)}\n${sealed({ ...fact, v: 2 })}`, 2, "its version is 2"],
    [
      "an event is unknown",
      () => `${text(0)}\n${sealed({ ...fact, type: "agent_dreamed" })}`,
      2,
      'does not know the event "agent_dreamed"',
    ],
    ["an old record does not fit", () => `${text(0)}\n${sealed({ ...fact, v: 0, data: { agent: "root" } })}`, 2, "prompt: Invalid input"],
    ["an old record has no time", () => `${text(0)}\n${sealed({ ...move, v: 0, at: "soon" })}`, 2, "at: Invalid"],
    ["a record has no version", () => `${text(0)}\n${sealed({ x: 1 })}`, 2, "v: Invalid input"],
    ["git has changed the line ends", () => `${text(0)}\r\n${text(1)}\r\n`, 1, "does not end with a check sum"],
  ])("because %s is refused, naming line and byte, and stays as it is", async (_, content, line, message) => {
    const before = content();
    const folder = await folderWith(before);
    const error = await errorOf(() => Journal.open(folder, { clock }));
    expect(error).toMatchObject({ code: "run_damaged" });
    expect(error.message).toContain(`is damaged at line ${line} (byte ${byteOf(before, line)})`);
    expect(error.message).toContain(message);
    expect(await readFile(journalFile(folder), "utf8")).toBe(before);
    expect((await errorOf(() => Journal.read(folder))).message).toBe(error.message);
  });

  test("by a newer hypo says to update", async () => {
    const folder = await folderWith(`${text(0)}\n${sealed({ ...fact, v: 2 })}`);
    expect((await errorOf(() => Journal.open(folder, { clock }))).hint).toMatch(/^Update hypo/);
  });

  test("and records of an older version that fit are read", async () => {
    const folder = await folderWith(`${sealed({ ...move, v: 0 })}${sealed({ ...fact, v: 0 })}`);
    const journal = await opened(Journal.open(folder, { clock }));
    expect(await collect(journal.allFacts())).toEqual([{ ...fact, v: 0 }]);
  });
});

function text(line: number): string {
  return texts[line] ?? "";
}

function replaceIn(line: number, from: string, to: string): string {
  return texts.map((text, index) => `${index === line ? text.replace(from, to) : text}\n`).join("");
}

/** A line as the format says, made without the code under test. */
function sealed(record: object): string {
  const body = JSON.stringify(record);
  const crc = crc32(Buffer.from(body)).toString(16).padStart(8, "0");
  return `${body.slice(0, -1)},"crc":"${crc}"}\n`;
}

function byteOf(content: string, line: number): number {
  const before = content.split("\n").slice(0, line - 1);
  return before.reduce((bytes, text) => bytes + Buffer.byteLength(text) + 1, 0);
}
