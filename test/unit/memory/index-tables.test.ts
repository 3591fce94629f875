import Database from "better-sqlite3";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeFrequencies, openFrequencies } from "../../../src/memory/index/frequencies.ts";
import { SCHEMA } from "../../../src/memory/index/schema.ts";
import { packTokens, unpackTokens, WIDTH, type TokenCount } from "../../../src/memory/index/token-vector.ts";

describe("the packed tokens of a note", () => {
  it("hold every token with its counts, in order", () => {
    const count = fc.integer({ min: 0, max: 70_000 });
    const note = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.record({ title: count, body: count, extra: count })));
    fc.assert(
      fc.property(note, (entries) => {
        const counts = new Map<number, TokenCount>(entries);
        const tokens = unpackTokens(packTokens(counts));
        const rows = Array.from({ length: tokens.length / WIDTH }, (_, row) => [...tokens.subarray(row * WIDTH, (row + 1) * WIDTH)]);
        expect(rows).toEqual([...counts].map(([token, { title, body, extra }]) => [token, title, body, extra]));
      }),
    );
  });
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
