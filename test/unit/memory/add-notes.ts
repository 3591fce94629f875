import type BetterSqlite3 from "better-sqlite3";
import { openNoteRows } from "../../../src/memory/index/note-rows.ts";
import type { Note } from "../../../src/memory/notes/note.ts";
import type { LanguageTable } from "../../../src/memory/text/languages.ts";

/** Puts notes into the tables of an index, as files `findings/0.md` and on. */
export function addNotes(database: BetterSqlite3.Database, languages: LanguageTable, notes: readonly Note[]): void {
  const rows = openNoteRows(database, languages, notes.length);
  for (const [at, note] of notes.entries()) rows.add(`findings/${at}.md`, note);
  rows.settle();
}
