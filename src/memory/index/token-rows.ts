import type BetterSqlite3 from "better-sqlite3";
import type { AnalysedNote } from "./analyse-note.ts";
import { changeCounts } from "./counts.ts";
import { weighLength } from "./field-weights.ts";
import { unpackTokens } from "./note-tokens.ts";
import { openPostingRows } from "./posting-rows.ts";
import { prepareOnce } from "./statements.ts";
import { countTokens } from "./vocabulary.ts";
import { countNote, makeTokenCounter } from "./token-counter.ts";

/** A note as it is in the tables. */
export interface StoredNote {
  note: number;
  titleLength: number;
  bodyLength: number;
  /** As `packTokens` gives them. */
  packed: Buffer;
}

/** Makes the tokens of notes known to searches, and unknown; to be used inside a transaction. */
export interface TokenRows {
  add: (note: number, tokens: Omit<AnalysedNote, "language">) => void;
  remove: (stored: StoredNote) => void;
  flush: () => void;
}

/** Searches read the tokens of those that wait, one by one. */
const MOST_WAITING = 64;

/** @param changes how many notes may come or go: with few, they wait to be merged with others */
export function openTokenRows(writer: BetterSqlite3.Database, changes: number): TokenRows {
  const sql = "SELECT (SELECT count(*) FROM waiting) + (SELECT count(*) FROM gone) AS waiting";
  const { waiting } = prepareOnce<{ waiting: number }>(writer, sql).get() ?? { waiting: 0 };
  if (waiting + changes <= MOST_WAITING) return openWaiting(writer);
  const merged = openMerged(writer);
  if (waiting > 0) mergeWaiting(writer, merged);
  return merged;
}

function openWaiting(writer: BetterSqlite3.Database): TokenRows {
  const wait = prepareOnce(writer, "INSERT INTO waiting VALUES (?)");
  const forget = prepareOnce(writer, "DELETE FROM waiting WHERE note = ?");
  const go = prepareOnce(writer, "INSERT INTO gone VALUES (?, ?)");
  return {
    add: (note) => void wait.run(note),
    remove({ note, packed }) {
      if (forget.run(note).changes === 0) go.run(note, packed);
    },
    flush: () => undefined,
  };
}

function openMerged(writer: BetterSqlite3.Database): TokenRows {
  const postings = openPostingRows(writer);
  const counter = makeTokenCounter();
  const known = countTokens(writer);
  const lengths = new Map<number, number>();
  return {
    add(note, tokens) {
      lengths.set(note, weighLength(tokens.title.length, tokens.body.length));
      countNote(counter, tokens, (token, count) => postings.add(token, note, count));
    },
    remove({ note, titleLength, bodyLength, packed }) {
      for (const token of new Set(unpackTokens(packed, known))) postings.remove(token, note);
      lengths.set(note, -weighLength(titleLength, bodyLength));
    },
    flush() {
      postings.flush();
      changeCounts(writer, "lengths", lengths);
      lengths.clear();
    },
  };
}

function mergeWaiting(writer: BetterSqlite3.Database, merged: TokenRows): void {
  const known = countTokens(writer);
  for (const stored of readWaiting(writer)) merged.add(stored.note, fieldsOf(stored, known));
  for (const { note, packed } of readGone(writer)) merged.remove({ note, packed, titleLength: 0, bodyLength: 0 });
  merged.flush();
  writer.exec("DELETE FROM waiting; DELETE FROM gone");
}

/** The notes that are not merged yet, in the order of their numbers. */
export function readWaiting(database: BetterSqlite3.Database): StoredNote[] {
  return prepareOnce<StoredNote>(
    database,
    `SELECT n.note, n.title_length AS titleLength, n.body_length AS bodyLength, v.tokens AS packed
     FROM waiting w JOIN notes n ON n.note = w.note JOIN vectors v ON v.note = w.note ORDER BY w.note`,
  ).all();
}

/** Those that went and are still among the merged ones. */
export function readGone(database: BetterSqlite3.Database): Pick<StoredNote, "note" | "packed">[] {
  return prepareOnce<Pick<StoredNote, "note" | "packed">>(database, "SELECT note, tokens AS packed FROM gone").all();
}

/** The tokens of a note by where they stand; `known` is how many the index knows. */
export function fieldsOf(
  { titleLength, bodyLength, packed }: Omit<StoredNote, "note">,
  known: number,
): Record<"title" | "body" | "extra", number[]> {
  const tokens = [...unpackTokens(packed, known)];
  const end = titleLength + bodyLength;
  return { title: tokens.slice(0, titleLength), body: tokens.slice(titleLength, end), extra: tokens.slice(end) };
}
