import type BetterSqlite3 from "better-sqlite3";
import { changeCounts } from "./counts.ts";
import { keyOf, MOST_NOTES, noteOf, type PostingRow } from "./posting-keys.ts";
import { makePostingBatch } from "./posting-batch.ts";
import { packPosting, PostingList, unpackPostings, WIDEST_POSTING } from "./postings-codec.ts";
import { prepareOnce } from "./statements.ts";

/** Puts postings into their table and takes them out, many at a time; to be used inside a transaction. */
export interface PostingRows {
  /** A token occurs so often in a note, whose number is above that of every other note with postings. */
  add: (token: number, note: number, count: number) => void;
  remove: (token: number, note: number) => void;
  flush: () => void;
}

/** So many wait in memory, 12 bytes each: the more, the less often the rows of common tokens are written. */
const MOST_WAITING = 4_000_000;
/** A row of so many bytes fills a page of SQLite's. */
const CHUNK = 4000;

export function openPostingRows(writer: BetterSqlite3.Database): PostingRows {
  const lastOf = prepareOnce<PostingRow>(
    writer,
    "SELECT key, last, entries FROM postings WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1",
  );
  const store = prepareOnce(writer, "INSERT OR REPLACE INTO postings VALUES (?, ?, ?)");
  const forget = prepareOnce(writer, "DELETE FROM postings WHERE key = ?");
  const batch = makePostingBatch();
  const leaving = new Map<number, number[]>();
  const bytes = new Uint8Array(CHUNK + WIDEST_POSTING);
  const rowAt = (token: number, note: number) => lastOf.get(keyOf(token, 0), keyOf(token, note));

  function removeFrom(token: number, notes: readonly number[]): void {
    const left = new Set(notes);
    for (const note of notes) {
      const row = left.has(note) ? rowAt(token, note) : undefined;
      if (row === undefined) continue;
      const list = new PostingList();
      unpackPostings(row.entries, noteOf(row.key), list);
      forget.run(row.key);
      const kept = new PostingList();
      for (let index = 0; index < list.length; index++) {
        const each = list.notes[index] ?? 0;
        if (!left.delete(each)) kept.add(each, list.counts[index] ?? 0);
      }
      if (kept.length > 0) append(token, kept, undefined);
    }
  }

  /** Writes postings behind a row, or as rows of their own. */
  function append(token: number, { notes, counts, length }: PostingList, behind: PostingRow | undefined): void {
    const row = behind !== undefined && behind.entries.length < CHUNK - WIDEST_POSTING ? behind : undefined;
    bytes.set(row?.entries ?? []);
    let end = row?.entries.length ?? 0;
    let [key, last] = [row?.key, row?.last ?? 0];
    const write = () => key !== undefined && store.run(key, last, Buffer.from(bytes.subarray(0, end)));
    for (let index = 0; index < length; index++) {
      const note = notes[index] ?? 0;
      if (end > CHUNK - WIDEST_POSTING) {
        write();
        [key, end] = [undefined, 0];
      }
      if (key === undefined) [key, last] = [keyOf(token, note), note];
      end = packPosting(bytes, end, note - last, counts[index] ?? 0);
      last = note;
    }
    write();
  }

  function flush(): void {
    const changes = new Map<number, number>();
    for (const [token, notes] of [...leaving].sort(([a], [b]) => a - b)) {
      removeFrom(token, notes);
      changes.set(token, -notes.length);
    }
    leaving.clear();
    batch.take((token, list) => {
      append(token, list, lastOf.get(keyOf(token, 0), keyOf(token, MOST_NOTES - 1)));
      changes.set(token, (changes.get(token) ?? 0) + list.length);
    });
    changeCounts(writer, "frequencies", changes);
  }

  return {
    add(token, note, count) {
      if (note >= MOST_NOTES) throw new RangeError(`the index holds no more than ${MOST_NOTES} notes`);
      if (batch.add(token, note, count) >= MOST_WAITING) flush();
    },
    remove(token, note) {
      const notes = leaving.get(token);
      if (notes === undefined) leaving.set(token, [note]);
      else notes.push(note);
    },
    flush,
  };
}
