import { readFileSync } from "node:fs";
import { join } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import type { Relation } from "../../domain/finding.ts";
import type { MemoryHit } from "../../domain/ports.ts";
import type { IndexView, LiveIndex } from "../index/live-index.ts";
import { prepareOnce } from "../index/statements.ts";
import { isProblem, parseBody } from "../notes/parse-note.ts";
import { searchableText } from "../notes/searchable-text.ts";
import { tokensOfPart } from "../text/analyse.ts";
import { findWords } from "../text/words.ts";
import { hiddenCondition } from "./filters.ts";
import type { Explanation } from "./rank-candidates.ts";
import type { RankedNote } from "./note-row.ts";
import { searchIndex, type IndexQuery } from "./search-index.ts";
import { makeSnippet } from "./snippet.ts";

export interface ExplainedHit extends MemoryHit {
  explanation: Explanation;
  file: FileState;
}

/** A note's file as it was indexed. */
interface FileState {
  sha256: string;
  /** Time of its last change, in milliseconds since 1970. */
  changed: number;
}

/** Hits, and words without hits with what was searched for in their place. */
export interface SearchResult {
  hits: ExplainedHit[];
  corrections: { word: string; instead: string }[];
}

/** Hits for any text at all, best first, with the passages that show why. */
export async function searchNotes(root: string, index: LiveIndex, query: IndexQuery): Promise<SearchResult> {
  const { ranking, languages, relations, files } = await index.read((view) => {
    const ranking = searchIndex(view, query);
    const { reader, languages } = view;
    const relations = ranking.notes.map((note) => relationsOf(reader, note, query));
    return { ranking, languages, relations, files: ranking.notes.map(({ path }) => fileOf(reader, path)) };
  });
  const texts = ranking.notes.map(({ path }) => readText(root, path));
  const hits = ranking.notes.map(({ language, note: _note, ...hit }, at) => ({
    ...hit,
    related: relations[at] ?? [],
    file: files[at] ?? NO_FILE,
    snippet: makeSnippet(texts[at] ?? "", ranking.terms, language, languages),
  }));
  const corrections = ranking.corrections.map(({ word, token }) => ({
    word,
    instead: wholeWord(token, ranking.notes, texts, languages) ?? token,
  }));
  return { hits, corrections };
}

const NO_FILE: FileState = { sha256: "", changed: 0 };

function fileOf(reader: BetterSqlite3.Database, path: string): FileState | undefined {
  return prepareOnce<FileState>(reader, "SELECT sha256, changed FROM files WHERE path = ?").get(path);
}

/** Relations of a note as its file names them, without those to notes that must not be shown. */
function relationsOf(reader: BetterSqlite3.Database, { note }: RankedNote, { hide }: IndexQuery): Relation[] {
  const hidden = hide === undefined ? undefined : hiddenCondition("h", hide);
  const without = hidden === undefined ? "" : `AND NOT EXISTS (SELECT 1 FROM notes h WHERE h.id = r.target AND ${hidden.sql})`;
  const sql = `SELECT r.kind, r.target AS "to" FROM relations r WHERE r.note = ? ${without} ORDER BY r.kind, r.target`;
  return prepareOnce<Relation>(reader, sql).all(note, ...(hidden?.values ?? []));
}

/** The word of the best hits that a token was made from: tokens are stems, and people read words. */
function wholeWord(token: string, notes: RankedNote[], texts: string[], languages: IndexView["languages"]): string | undefined {
  for (const [at, { title, language }] of notes.entries()) {
    const tools = languages.get(language);
    for (const { parts } of findWords(`${title}\n${texts[at] ?? ""}`)) {
      const word = parts.find((part) => tokensOfPart(part, tools).includes(token));
      if (word !== undefined) return word;
    }
  }
  return undefined;
}

/** The searchable text of a note's file; nothing where the file has gone or broken since it was indexed. */
function readText(root: string, path: string): string {
  try {
    // At once: there are a few hits, and waiting for a small file costs many times its reading.
    const body = parseBody(readFileSync(join(root, path), "utf8"));
    return isProblem(body) ? "" : searchableText(body);
  } catch {
    return "";
  }
}
