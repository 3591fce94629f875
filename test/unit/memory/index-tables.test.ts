import Database from "better-sqlite3";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeCounts, openCounts, readCounts } from "../../../src/memory/index/count-pages.ts";
import { packTokens, unpackTokens } from "../../../src/memory/index/note-tokens.ts";
import { openPostingRows } from "../../../src/memory/index/posting-rows.ts";
import { openPostings } from "../../../src/memory/index/read-postings.ts";
import { SCHEMA } from "../../../src/memory/index/schema.ts";
import { makeTokenCounter } from "../../../src/memory/index/token-counter.ts";

describe("the packed tokens of a note", () => {
  it("are the same in the same order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 })), (numbers) => {
        expect([...unpackTokens(packTokens(numbers))]).toEqual(numbers);
      }),
    );
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
  const tokens = [0, 1, 7, 2 ** 27 - 1];

  it("hold what notes that came and went left, however they are written", () => {
    fc.assert(
      fc.property(store, fc.func(fc.nat(5)), fc.integer({ min: 1, max: 5000 }), (notes, fate, gap) => {
        const database = new Database(":memory:");
        database.exec(SCHEMA);
        const rows = openPostingRows(database, (slot) => tokens[slot] ?? 0);
        const numberOf = (index: number) => (index + 1) * gap;
        const held = new Map<number, number[]>();
        for (const [index, counts] of notes.entries()) {
          for (const [slot, count] of counts.entries()) if (count > 0) rows.add(slot, numberOf(index), count);
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
        const read = openPostings(database, numberOf(notes.length));
        const frequencyOf = openCounts(database, "frequencies", new Map());
        for (const [slot, token] of tokens.entries()) {
          const expected = [...held].map(([note, counts]) => [note, counts[slot] ?? 0]).filter(([, count]) => count !== 0);
          const { notes, counts, length } = read([token]);
          expect(Array.from({ length }, (_, at) => [notes[at], counts[at]])).toEqual(expected);
          if (token < 100) expect(frequencyOf(token)).toBe(expected.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("longer than a row are read whole, and add up where several tokens count as one", () => {
    const database = new Database(":memory:");
    database.exec(SCHEMA);
    const rows = openPostingRows(database, (slot) => slot);
    for (let note = 1; note <= 30_000; note++) {
      rows.add(0, note, 1 + (note % 9));
      if (note % 3 === 0) rows.add(1, note, 5);
      if (note % 1000 === 0) rows.flush();
    }
    rows.flush();
    expect(database.prepare("SELECT count(*) FROM postings").pluck().get()).toBeGreaterThan(5);
    const { notes, counts, length } = openPostings(database, 30_001)([0, 1]);
    expect(length).toBe(30_000);
    expect(Array.from(notes.subarray(0, length))).toEqual(Array.from({ length }, (_, at) => at + 1));
    expect([0, 1, 2, 29_999].map((at) => counts[at])).toEqual([2, 3, 9, 9]);
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
    const frequencyOf = openCounts(database, "frequencies", new Map());
    expect([0, 1, 511, 512, 90_000, 10_000_000].map(frequencyOf)).toEqual([5, 0, 512, 500, 90_001, 0]);
    const all = readCounts(database, "frequencies", 513);
    expect([all[0], all[1], all[511], all[512]]).toEqual([5, 0, 512, 500]);
  });
});
