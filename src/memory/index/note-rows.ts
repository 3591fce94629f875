import type BetterSqlite3 from "better-sqlite3";
import { detectLanguage } from "../text/detect-language.ts";
import { listWords } from "../text/words.ts";
import { isLanguage, type Language, type LanguageTable } from "../text/languages.ts";
import { isNamedAfter } from "../notes/note-path.ts";
import type { Note } from "../notes/note.ts";
import { searchableText } from "../notes/searchable-text.ts";
import { makeTokenCounter } from "./token-counter.ts";
import { NUMBER, unpackTokens, WIDTH } from "./token-vector.ts";
import { openVocabulary } from "./vocabulary.ts";
import { openWordTokens } from "./word-tokens.ts";

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
  /** Ids of notes that came or went, with the path of one that came and is no duplicate unless another file has the id. */
  const touched = new Map<string, string | undefined>();
  // Here and not by a trigger: SQLite would keep what each insertion changes twice, in case that it has to take it back.
  const total = writer.prepare("UPDATE totals SET notes = notes + ?, title_length = title_length + ?, body_length = body_length + ?");
  const came = { notes: 0, title: 0, body: 0 };
  const vocabulary = openVocabulary(writer);
  const counter = makeTokenCounter();
  const wordsOf = openWordTokens(languages, (token) => vocabulary.slotOf(token));

  /** Counts the tokens of a text; gives them with spaces between, and how many of them are in reading order. */
  function analyseField(field: "title" | "body", words: string[], language: Language): { main: string; extra: string; length: number } {
    const tokensOf = wordsOf(language);
    const [mains, extras]: [string[], string[]] = [[], []];
    let length = 0;
    for (const raw of words) {
      const { main, mainSlots, extra, extraSlots } = tokensOf(raw);
      if (mainSlots.length > 0) {
        mains.push(main);
        length += mainSlots.length;
        counter.add(field, mainSlots);
      }
      if (extraSlots.length > 0) {
        extras.push(extra);
        counter.add("extra", extraSlots);
      }
    }
    return { main: mains.join(" "), extra: extras.join(" "), length };
  }

  return {
    add(path, note) {
      const text = searchableText(note);
      const [titleWords, bodyWords] = [listWords(note.title), listWords(text)];
      const language = languageNamed(note) ?? detectLanguage(`${note.title}\n${text}`, languages, [...titleWords, ...bodyWords]);
      const title = analyseField("title", titleWords, language);
      const body = analyseField("body", bodyWords, language);
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
        title.length,
        body.length,
      ).lastInsertRowid;
      came.notes++;
      came.title += title.length;
      came.body += body.length;
      analysed.run(row, title.main, body.main, `${title.extra} ${body.extra}`);
      vector.run(
        row,
        counter.take((slot) => {
          vocabulary.come(slot);
          return vocabulary.numberAt(slot);
        }),
      );
      for (const id of note.sources) source.run(row, id);
      for (const { kind, to } of note.related) relation.run(row, kind, to);
      if (note.superseded_by !== "") relation.run(row, SUPERSEDED_BY, note.superseded_by);
      touched.set(note.id, touched.has(note.id) ? undefined : path);
    },
    remove(path) {
      for (const packed of tokensOf.all(path)) {
        const tokens = unpackTokens(packed);
        for (let at = 0; at < tokens.length; at += WIDTH) vocabulary.leave(tokens[at + NUMBER] ?? 0);
      }
      for (const id of remove.all(path)) touched.set(id, undefined);
    },
    settle() {
      for (const [id, added] of touched) {
        const paths = pathsOf.all(id);
        if (paths.length === 1 && paths[0] === added) continue;
        const owner = chooseOwner(id, paths);
        if (owner !== undefined) mark.run(owner, id, owner);
      }
      touched.clear();
      total.run(came.notes, came.title, came.body);
      Object.assign(came, { notes: 0, title: 0, body: 0 });
      vocabulary.flush();
    },
  };
}

/** Of several files with one id, the one that is named after it, then the first by name: whatever order they came in. */
function chooseOwner(id: string, paths: string[]): string | undefined {
  const sorted = paths.toSorted();
  return sorted.find((path) => isNamedAfter(path, id)) ?? sorted[0];
}

function languageNamed(note: Note): Language | undefined {
  const named = note.language.toLowerCase().split(/[-_]/)[0] ?? "";
  return isLanguage(named) ? named : undefined;
}

/** Times in UTC and one form, so that they sort as text; what is no time stays as it is written. */
function sortableTime(created: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(created)) return created;
  const time = /^\d{4}/.test(created) ? Date.parse(created) : Number.NaN;
  return Number.isNaN(time) ? created : new Date(time).toISOString();
}
