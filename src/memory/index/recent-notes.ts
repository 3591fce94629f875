import type BetterSqlite3 from "better-sqlite3";
import { weighLength } from "./field-weights.ts";
import { unpackTokens } from "./note-tokens.ts";
import { PostingList } from "./postings-codec.ts";
import { countNote, makeTokenCounter } from "./token-counter.ts";
import { fieldsOf, readGone, readWaiting } from "./token-rows.ts";

/** What a few notes that came and went lately add to the tables, and take from them. */
export interface RecentNotes {
  /** By token. */
  postings: ReadonlyMap<number, PostingList>;
  /** In how many more notes each token occurs. */
  frequencies: ReadonlyMap<number, number>;
  lengths: ReadonlyMap<number, number>;
  /** Notes whose postings are still there. */
  gone: readonly number[];
}

/** @param known how many tokens the index knows */
export function readRecentNotes(reader: BetterSqlite3.Database, known: number): RecentNotes {
  const postings = new Map<number, PostingList>();
  const frequencies = new Map<number, number>();
  const lengths = new Map<number, number>();
  const counter = makeTokenCounter();
  const change = (token: number, by: number) => frequencies.set(token, (frequencies.get(token) ?? 0) + by);
  for (const stored of readWaiting(reader)) {
    lengths.set(stored.note, weighLength(stored.titleLength, stored.bodyLength));
    countNote(counter, fieldsOf(stored, known), (token, count) => {
      const list = postings.get(token) ?? new PostingList();
      postings.set(token, list);
      list.add(stored.note, count);
      change(token, 1);
    });
  }
  const gone = readGone(reader);
  for (const { packed } of gone) for (const token of new Set(unpackTokens(packed, known))) change(token, -1);
  return { postings, frequencies, lengths, gone: gone.map(({ note }) => note) };
}
