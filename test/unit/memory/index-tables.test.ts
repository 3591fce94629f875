import Database from "better-sqlite3";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeCounts, openCounts, readCounts } from "../../../src/memory/index/counts.ts";
import { packTokens, unpackTokens } from "../../../src/memory/index/note-tokens.ts";
import { openNoteRows } from "../../../src/memory/index/note-rows.ts";
import { openPostingRows } from "../../../src/memory/index/posting-rows.ts";
import { openTables } from "../../../src/memory/index/index-tables.ts";
import { SCHEMA } from "../../../src/memory/index/schema.ts";
import { makeTokenCounter } from "../../../src/memory/index/token-counter.ts";
import { emptyNote } from "../../../src/memory/notes/note.ts";
import { loadLanguages } from "../../../src/memory/text/languages.ts";

/** Tables know of notes up to the highest number. */
function insertNote(database: Database.Database, note: number): void {
  const values = "'findings/a.md', 'findings', 'f-a', '', '', '', '', '', '', 'en', 0, 0, 0";
  database.exec(`INSERT INTO notes VALUES (${note}, ${values})`);
}

describe("the packed tokens of a note", () => {
  it("are the same in the same order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 })), (numbers) => {
        expect([...unpackTokens(packTokens(numbers), 2 ** 32)]).toEqual(numbers);
      }),
    );
  });

  it("are those of tokens that are known: what is damaged is not taken for a note of billions", () => {
    expect([...unpackTokens(packTokens([0, 299]), 300)]).toEqual([0, 299]);
    for (const packed of [packTokens([1, 300]), new Uint8Array(5000).fill(255)]) {
      expect(() => unpackTokens(packed, 300)).toThrow(expect.objectContaining({ code: "SQLITE_CORRUPT" }));
    }
  });
});

describe("the counter of tokens", () => {
  it("counts note by note, in the order in which tokens first came", () => {
    const text = fc.array(fc.integer({ min: 0, max: 140_000 }), { maxLength: 400 });
    const counter = makeTokenCounter();
    fc.assert(
      fc.property(text, text, (title, body) => {
        counter.add(title, 2);
        counter.add(body, 1);
        const timesIn = (slots: number[], slot: number) => slots.filter((each) => each === slot).length;
        const taken: number[][] = [];
        counter.take((slot, count) => taken.push([slot, count]));
        expect(taken).toEqual([...new Set([...title, ...body])].map((slot) => [slot, 2 * timesIn(title, slot) + timesIn(body, slot)]));
      }),
    );
  });
});

describe("posting lists", () => {
  /** Notes with what they hold of each of four tokens. */
  const store = fc.array(fc.array(fc.integer({ min: 0, max: 600 }), { minLength: 4, maxLength: 4 }), { maxLength: 60 });
  const tokens = [0, 1, 7, 200_000];

  it("hold what notes that came and went left, however they are written", () => {
    fc.assert(
      fc.property(store, fc.func(fc.nat(5)), fc.integer({ min: 1, max: 5000 }), (notes, fate, gap) => {
        const database = new Database(":memory:");
        database.exec(SCHEMA);
        const rows = openPostingRows(database);
        const numberOf = (index: number) => (index + 1) * gap;
        const held = new Map<number, number[]>();
        for (const [index, counts] of notes.entries()) {
          for (const [slot, count] of counts.entries()) if (count > 0) rows.add(tokens[slot] ?? 0, numberOf(index), count);
          held.set(numberOf(index), counts);
          if (fate(index) === 0) rows.flush();
        }
        rows.flush();
        for (const [index, counts] of notes.entries()) {
          if (fate(-index) > 1) continue;
          for (const [slot, count] of counts.entries()) if (count > 0) rows.remove(tokens[slot] ?? 0, numberOf(index));
          held.delete(numberOf(index));
        }
        rows.flush();
        insertNote(database, numberOf(notes.length));
        const { postingsOf } = openTables(database);
        const frequencyOf = openCounts(database, "frequencies");
        for (const [slot, token] of tokens.entries()) {
          const expected = [...held].map(([note, counts]) => [note, counts[slot] ?? 0]).filter(([, count]) => count !== 0);
          const { notes, counts, length } = postingsOf([token]);
          expect(Array.from({ length }, (_, at) => [notes[at], counts[at]])).toEqual(expected);
          expect(frequencyOf(token)).toBe(expected.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("longer than a row are read whole, and add up where several tokens count as one", () => {
    const database = new Database(":memory:");
    database.exec(SCHEMA);
    const rows = openPostingRows(database);
    for (let note = 1; note <= 30_000; note++) {
      rows.add(0, note, 1 + (note % 9));
      if (note % 3 === 0) rows.add(1, note, 5);
      if (note % 1000 === 0) rows.flush();
    }
    rows.flush();
    expect(database.prepare("SELECT count(*) FROM postings").pluck().get()).toBeGreaterThan(5);
    insertNote(database, 30_000);
    const { notes, counts, length } = openTables(database).postingsOf([0, 1]);
    expect(length).toBe(30_000);
    expect(Array.from(notes.subarray(0, length))).toEqual(Array.from({ length }, (_, at) => at + 1));
    expect([0, 1, 2, 29_999].map((at) => counts[at])).toEqual([2, 3, 9, 9]);
  });
});

describe("notes that come and go", () => {
  const WORDS = ["owl", "bat", "night", "wood", "moon"];
  /** Of each change, the note, how many are said to change with it, and the words it then has: none takes it away. */
  const change = fc.record({
    note: fc.nat(9),
    changes: fc.constantFrom(1, 40, 1000),
    words: fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }),
  });

  it("are the same to searches whether they wait or are merged", async () => {
    const languages = await loadLanguages();
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const database = new Database(":memory:");
        database.exec(SCHEMA);
        const held = new Map<number, string[]>();
        for (const { note, changes: many, words } of changes) {
          const rows = openNoteRows(database, languages, many);
          rows.remove(`findings/${note}.md`);
          held.delete(note);
          if (words.length > 0) {
            rows.add(`findings/${note}.md`, { ...emptyNote(), id: `f-${note}`, title: words[0] ?? "", preamble: words.join(" ") });
            held.set(note, words);
          }
          rows.settle();
        }
        const tables = openTables(database);
        const pathOf = database.prepare<[number], string>("SELECT path FROM notes WHERE note = ?").pluck();
        const numberOf = database.prepare<[string], number>("SELECT number FROM terms WHERE term = ?").pluck();
        for (const word of WORDS) {
          const holders = [...held].filter(([, words]) => words.includes(word));
          const number = numberOf.get(word);
          if (number === undefined) continue;
          expect(tables.frequencyOf(number)).toBe(holders.length);
          const { notes, counts, length } = tables.postingsOf([number]);
          const found = Array.from({ length }, (_, at) => [notes[at] ?? 0, counts[at]] as const).filter(
            ([note]) => !tables.gone.includes(note),
          );
          const expected = new Map(
            holders.map(([note, words]) => [
              `findings/${note}.md`,
              words.filter((each) => each === word).length + (words[0] === word ? 2 : 0),
            ]),
          );
          expect(new Map(found.map(([note, count]) => [pathOf.get(note), count]))).toEqual(expected);
          for (const [note] of found)
            expect(tables.lengths[note]).toBe(2 + (held.get(Number(/\d+/.exec(pathOf.get(note) ?? "")))?.length ?? 0));
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("the counts of tokens and notes", () => {
  it("add up over many changes, and what is unknown has none", () => {
    const database = new Database(":memory:");
    database.exec(SCHEMA);
    changeCounts(database, "frequencies", new Map([0, 511, 512, 90_000].map((token) => [token, token + 1])));
    changeCounts(
      database,
      "frequencies",
      new Map([
        [0, 4],
        [512, -13],
      ]),
    );
    const frequencyOf = openCounts(database, "frequencies");
    expect([0, 1, 511, 512, 90_000, 10_000_000].map(frequencyOf)).toEqual([5, 0, 512, 500, 90_001, 0]);
    const all = readCounts(database, "frequencies", 513);
    expect([all[0], all[1], all[511], all[512]]).toEqual([5, 0, 512, 500]);
  });
});
