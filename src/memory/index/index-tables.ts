import type BetterSqlite3 from "better-sqlite3";
import { damagedRow } from "../../files/sqlite-errors.ts";
import { countTokens } from "./vocabulary.ts";
import { openCounts, readCounts } from "./counts.ts";
import { keyOf, MOST_NOTES, noteOf, type PostingRow } from "./posting-keys.ts";
import { PostingList, unpackPostings } from "./postings-codec.ts";
import { readRecentNotes, type RecentNotes } from "./recent-notes.ts";
import { prepareOnce } from "./statements.ts";

/** What the index knows of tokens, those of notes that still wait to be merged among them. */
export interface IndexTables {
  reader: BetterSqlite3.Database;
  /** Above the number of every note. */
  size: number;
  /** Above the number of every token. */
  known: number;
  /** The length of every note, by its number. */
  lengths: Uint32Array;
  /** Notes that are not there any more, though posting lists name them. */
  gone: readonly number[];
  /** The number of a token; undefined where no note ever held it. */
  numberOf: (token: string) => number | undefined;
  /** The numbers of all tokens that begin so. */
  numbersFrom: (prefix: string) => number[];
  /** In how many notes a token occurs. */
  frequencyOf: (token: number) => number;
  /** The notes that hold any of the tokens, with how often they hold them together. Overwritten by the next reading. */
  postingsOf: (tokens: readonly number[]) => PostingList;
}

/** Reads what every search needs, once for all until the index changes: tables that a search has are those of that time. */
export function openTables(reader: BetterSqlite3.Database): IndexTables {
  const known = countTokens(reader);
  const recent = readRecentNotes(reader, known);
  const lengths = readLengths(reader, recent);
  const size = lengths.length;
  const exact = prepareOnce<{ number: number }>(reader, "SELECT number FROM terms WHERE term = ?");
  const ranged = prepareOnce<{ number: number }>(reader, "SELECT number FROM terms WHERE term >= ? AND term < ?");
  const frequencyOf = openCounts(reader, "frequencies");
  return {
    reader,
    size,
    known,
    lengths,
    gone: recent.gone,
    numberOf: (token) => exact.get(token)?.number,
    numbersFrom: (prefix) => ranged.all(prefix, `${prefix}\u{10ffff}`).map(({ number }) => number),
    frequencyOf: (token) => frequencyOf(token) + (recent.frequencies.get(token) ?? 0),
    postingsOf: openPostings(reader, size, recent),
  };
}

function readLengths(reader: BetterSqlite3.Database, recent: RecentNotes): Uint32Array {
  const last = prepareOnce<{ last: number | null }>(reader, "SELECT max(note) AS last FROM notes").get()?.last ?? 0;
  const lengths = readCounts(reader, "lengths", Math.max(last, ...recent.gone) + 1);
  for (const [note, length] of recent.lengths) lengths[note] = length;
  return lengths;
}

function openPostings(reader: BetterSqlite3.Database, size: number, recent: RecentNotes): IndexTables["postingsOf"] {
  const rows = prepareOnce<PostingRow>(reader, "SELECT key, entries FROM postings WHERE key BETWEEN ? AND ? ORDER BY key");
  const list = new PostingList();
  let sums: Uint32Array | undefined;

  function readInto(token: number): void {
    for (const { key, entries } of rows.all(keyOf(token, 0), keyOf(token, MOST_NOTES - 1))) {
      unpackPostings(entries, noteOf(key), list);
      // They come in rising order: the last is the one that would be out of bounds.
      if ((list.notes[list.length - 1] ?? 0) >= size) throw damagedRow("postings: a note");
    }
    const more = recent.postings.get(token);
    for (let at = 0; at < (more?.length ?? 0); at++) list.add(more?.notes[at] ?? 0, more?.counts[at] ?? 0);
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
