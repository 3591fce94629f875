import type BetterSqlite3 from "better-sqlite3";
import type { LanguageTable } from "../text/languages.ts";
import { isNamedAfter } from "../notes/note-path.ts";
import type { Note } from "../notes/note.ts";
import { openNoteAnalysis } from "./analyse-note.ts";
import { packTokens } from "./note-tokens.ts";
import { prepareOnce } from "./statements.ts";
import { openTokenRows, type StoredNote } from "./token-rows.ts";
import { openVocabulary } from "./vocabulary.ts";

/** How the table of relations calls an outdated note's `superseded_by`. */
export const SUPERSEDED_BY = "superseded_by";

/** Puts notes into the tables and takes them out; to be used inside a transaction. */
export interface NoteRows {
  add(path: string, note: Note): void;
  remove(path: string): void;
  /** Ends a series of changes: marks all notes but one of each changed id as duplicates, and counts tokens. */
  settle(): void;
}

/** @param changes how many files came, went or changed at most */
export function openNoteRows(writer: BetterSqlite3.Database, languages: LanguageTable, changes: number): NoteRows {
  const insert = prepareOnce(
    writer,
    `INSERT INTO notes (path, folder, id, type, status, run, agent, created, title, language, title_length, body_length)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const source = prepareOnce(writer, "INSERT OR IGNORE INTO sources VALUES (?, ?)");
  const relation = prepareOnce(writer, "INSERT OR IGNORE INTO relations VALUES (?, ?, ?)");
  const vector = prepareOnce(writer, "INSERT INTO vectors VALUES (?, ?)");
  const storedAt = prepareOnce<StoredNote>(
    writer,
    `SELECT n.note, n.title_length AS titleLength, n.body_length AS bodyLength, v.tokens AS packed
     FROM notes n JOIN vectors v ON v.note = n.note WHERE n.path = ?`,
  );
  const remove = prepareOnce<{ id: string }>(writer, "DELETE FROM notes WHERE path = ? RETURNING id");
  const pathsOf = prepareOnce<{ path: string }>(writer, "SELECT path FROM notes WHERE id = ?");
  const mark = prepareOnce(writer, "UPDATE notes SET duplicate = (path <> ?) WHERE id = ? AND duplicate <> (path <> ?)");
  /** Ids of notes that came or went, with the path of one that came and is no duplicate unless another file has the id. */
  const touched = new Map<string, string | undefined>();
  // Here and not by a trigger: SQLite would keep what each insertion changes twice, in case that it has to take it back.
  const total = prepareOnce(writer, "UPDATE totals SET notes = notes + ?, title_length = title_length + ?, body_length = body_length + ?");
  const came = { notes: 0, title: 0, body: 0 };
  const vocabulary = openVocabulary(writer);
  const analyse = openNoteAnalysis(languages, vocabulary.numberOf);
  const tokens = openTokenRows(writer, changes);

  return {
    add(path, note) {
      const analysed = analyse(note);
      const { language, title, body, extra } = analysed;
      const { lastInsertRowid } = insert.run(
        path,
        path.slice(0, path.indexOf("/")),
        note.id,
        note.type,
        note.status,
        note.run_id,
        note.created_by,
        sortableTime(note.created),
        note.title,
        language,
        title.length,
        body.length,
      );
      const row = Number(lastInsertRowid);
      came.notes++;
      came.title += title.length;
      came.body += body.length;
      vector.run(row, packTokens([...title, ...body, ...extra]));
      tokens.add(row, analysed);
      for (const id of note.sources) source.run(row, id);
      for (const { kind, to } of note.related) relation.run(row, kind, to);
      if (note.superseded_by !== "") relation.run(row, SUPERSEDED_BY, note.superseded_by);
      touched.set(note.id, touched.has(note.id) ? undefined : path);
    },
    remove(path) {
      for (const stored of storedAt.all(path)) tokens.remove(stored);
      for (const { id } of remove.all(path)) touched.set(id, undefined);
    },
    settle() {
      for (const [id, added] of touched) {
        const paths = pathsOf.all(id).map(({ path }) => path);
        if (paths.length === 1 && paths[0] === added) continue;
        const owner = chooseOwner(id, paths);
        if (owner !== undefined) mark.run(owner, id, owner);
      }
      touched.clear();
      total.run(came.notes, came.title, came.body);
      Object.assign(came, { notes: 0, title: 0, body: 0 });
      vocabulary.flush();
      tokens.flush();
    },
  };
}

/** Of several files with one id, the one that is named after it, then the first by name: whatever order they came in. */
function chooseOwner(id: string, paths: string[]): string | undefined {
  const sorted = paths.toSorted();
  return sorted.find((path) => isNamedAfter(path, id)) ?? sorted[0];
}

/** Times in UTC and one form, so that they sort as text; what is no time stays as it is written. */
function sortableTime(created: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(created)) return created;
  const time = /^\d{4}/.test(created) ? Date.parse(created) : Number.NaN;
  return Number.isNaN(time) ? created : new Date(time).toISOString();
}
