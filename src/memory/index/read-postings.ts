import type BetterSqlite3 from "better-sqlite3";
import { keyOf, MOST_NOTES, noteOf, type PostingRow } from "./posting-keys.ts";
import { PostingList, unpackPostings } from "./postings-codec.ts";
import { prepareOnce } from "./statements.ts";

/** Reads the posting lists of tokens. What is given is overwritten by the next reading. */
export function openPostings(reader: BetterSqlite3.Database, size: number): (tokens: readonly number[]) => PostingList {
  const rows = prepareOnce<PostingRow>(reader, "SELECT key, entries FROM postings WHERE key BETWEEN ? AND ? ORDER BY key");
  const list = new PostingList();
  let sums: Uint32Array | undefined;

  function readInto(token: number): void {
    for (const { key, entries } of rows.all(keyOf(token, 0), keyOf(token, MOST_NOTES - 1))) unpackPostings(entries, noteOf(key), list);
  }

  /** Adds up what notes hold of several tokens: they score as one. */
  function addUp(): void {
    sums ??= new Uint32Array(size);
    let length = 0;
    for (let at = 0; at < list.length; at++) {
      const note = list.notes[at] ?? 0;
      if (sums[note] === 0) list.notes[length++] = note;
      sums[note] = (sums[note] ?? 0) + (list.counts[at] ?? 0);
    }
    list.length = length;
    for (let at = 0; at < length; at++) {
      const note = list.notes[at] ?? 0;
      list.counts[at] = sums[note] ?? 0;
      sums[note] = 0;
    }
  }

  return (tokens) => {
    list.length = 0;
    for (const token of tokens) readInto(token);
    if (tokens.length > 1) addUp();
    return list;
  };
}
