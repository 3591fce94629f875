import Database from "better-sqlite3";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeFrequencies, openFrequencies } from "../../../src/memory/index/frequencies.ts";
import { SCHEMA } from "../../../src/memory/index/schema.ts";
import { makeTokenCounter } from "../../../src/memory/index/token-counter.ts";
import { packToken, unpackTokens, WIDTH } from "../../../src/memory/index/token-vector.ts";

describe("the packed tokens of a note", () => {
  it("hold every token with its counts, in order", () => {
    const count = fc.integer({ min: 0, max: 70_000 });
    const note = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.record({ title: count, body: count, extra: count })));
    fc.assert(
      fc.property(note, (entries) => {
        const bytes = new Uint8Array(entries.length * 20);
        const length = entries.reduce((at, [token, { title, body, extra }]) => packToken(bytes, at, token, title, body, extra), 0);
        expect(rowsOf(bytes.subarray(0, length))).toEqual(entries.map(([token, { title, body, extra }]) => [token, title, body, extra]));
      }),
    );
  });

  it("are counted note by note, in the order in which they first came", () => {
    const text = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 400 });
    const counter = makeTokenCounter();
    fc.assert(
      fc.property(text, text, text, (title, body, extra) => {
        for (const [field, slots] of Object.entries({ title, body, extra })) counter.add(field as "title", slots);
        const timesIn = (slots: number[], slot: number) => slots.filter((each) => each === slot).length;
        expect(rowsOf(counter.take((slot) => slot + 7))).toEqual(
          [...new Set([...title, ...body, ...extra])].map((slot) => [
            slot + 7,
            timesIn(title, slot),
            timesIn(body, slot),
            timesIn(extra, slot),
          ]),
        );
      }),
    );
  });

  const rowsOf = (packed: Uint8Array): number[][] => {
    const tokens = unpackTokens(packed);
    return Array.from({ length: tokens.length / WIDTH }, (_, row) => [...tokens.subarray(row * WIDTH, (row + 1) * WIDTH)]);
  };
});

describe("the counts of tokens", () => {
  it("add up over many changes, and unknown tokens have none", () => {
    const database = new Database(":memory:");
    database.exec(SCHEMA);
    changeFrequencies(database, new Map([0, 511, 512, 90_000].map((token) => [token, token + 1])));
    changeFrequencies(
      database,
      new Map([
        [0, 4],
        [512, -13],
      ]),
    );
    const frequencyOf = openFrequencies(database, new Map());
    expect([0, 1, 511, 512, 90_000, 10_000_000].map(frequencyOf)).toEqual([5, 0, 512, 500, 90_001, 0]);
  });
});
