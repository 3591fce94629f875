import type BetterSqlite3 from "better-sqlite3";
import { analyseText } from "../text/analyse.ts";
import { detectLanguage } from "../text/detect-language.ts";
import { isLanguage, type Language, type LanguageTable } from "../text/languages.ts";
import { isNamedAfter } from "../notes/note-path.ts";
import type { Note } from "../notes/note.ts";
import { searchableText } from "../notes/searchable-text.ts";
import { NUMBER, packTokens, unpackTokens, WIDTH, type TokenCount } from "./token-vector.ts";
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

export function openNoteRows(writer: BetterSqlite3.Database, languages: LanguageTable): NoteRows {
  const insert = writer.prepare(
    `INSERT INTO notes (path, folder, id, type, status, run, agent, created, title, language, title_length, body_length)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const analysed = writer.prepare("INSERT INTO analysed (rowid, title, body, extra) VALUES (?, ?, ?, ?)");
  const source = writer.prepare("INSERT OR IGNORE INTO sources VALUES (?, ?)");
  const relation = writer.prepare("INSERT OR IGNORE INTO relations VALUES (?, ?, ?)");
  const vector = writer.prepare("INSERT INTO vectors VALUES (?, ?)");
  const tokensOf = writer
    .prepare<[string], Buffer>("SELECT v.tokens FROM notes n JOIN vectors v ON v.note = n.note WHERE n.path = ?")
    .pluck();
  const remove = writer.prepare<[string], string>("DELETE FROM notes WHERE path = ? RETURNING id").pluck();
  const pathsOf = writer.prepare<[string], string>("SELECT path FROM notes WHERE id = ?").pluck();
  const mark = writer.prepare("UPDATE notes SET duplicate = (path <> ?) WHERE id = ? AND duplicate <> (path <> ?)");
  const touched = new Set<string>();
  const vocabulary = openVocabulary(writer);
  return {
    add(path, note) {
      const text = searchableText(note);
      const language = languageOf(note, text, languages);
      const title = analyseText(note.title, language, languages);
      const body = analyseText(text, language, languages);
      const row = insert.run(
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
        title.main.length,
        body.main.length,
      ).lastInsertRowid;
      const extra = [...title.extra, ...body.extra];
      analysed.run(row, title.main.join(" "), body.main.join(" "), extra.join(" "));
      const counts = countTokens({ title: title.main, body: body.main, extra }, (token) => vocabulary.numberOf(token));
      for (const token of counts.keys()) vocabulary.count(token, 1);
      vector.run(row, packTokens(counts));
      for (const id of note.sources) source.run(row, id);
      for (const { kind, to } of note.related) relation.run(row, kind, to);
      if (note.superseded_by !== "") relation.run(row, SUPERSEDED_BY, note.superseded_by);
      touched.add(note.id);
    },
    remove(path) {
      for (const packed of tokensOf.all(path)) {
        const tokens = unpackTokens(packed);
        for (let at = 0; at < tokens.length; at += WIDTH) vocabulary.count(tokens[at + NUMBER] ?? 0, -1);
      }
      for (const id of remove.all(path)) touched.add(id);
    },
    settle() {
      for (const id of touched) {
        const owner = chooseOwner(id, pathsOf.all(id));
        if (owner !== undefined) mark.run(owner, id, owner);
      }
      touched.clear();
      vocabulary.flush();
    },
  };
}

/** How often each token stands in each field, by its number and in reading order. */
function countTokens(fields: Record<keyof TokenCount, string[]>, numberOf: (token: string) => number): Map<number, TokenCount> {
  const counts = new Map<number, TokenCount>();
  for (const field of ["title", "body", "extra"] as const) {
    for (const token of fields[field]) {
      const number = numberOf(token);
      const known = counts.get(number);
      if (known === undefined) counts.set(number, { title: 0, body: 0, extra: 0, [field]: 1 });
      else known[field]++;
    }
  }
  return counts;
}

/** Of several files with one id, the one that is named after it, then the first by name: whatever order they came in. */
function chooseOwner(id: string, paths: string[]): string | undefined {
  const sorted = paths.toSorted();
  return sorted.find((path) => isNamedAfter(path, id)) ?? sorted[0];
}

function languageOf(note: Note, text: string, languages: LanguageTable): Language {
  const named = note.language.toLowerCase().split(/[-_]/)[0] ?? "";
  return isLanguage(named) ? named : detectLanguage(`${note.title}\n${text}`, languages);
}

/** Times in UTC and one form, so that they sort as text; what is no time stays as it is written. */
function sortableTime(created: string): string {
  const time = /^\d{4}/.test(created) ? Date.parse(created) : Number.NaN;
  return Number.isNaN(time) ? created : new Date(time).toISOString();
}
