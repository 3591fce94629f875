import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MemoryHit, MemoryQuery } from "../../domain/ports.ts";
import type { IndexView, LiveIndex } from "../index/live-index.ts";
import { isProblem, parseNote } from "../notes/parse-note.ts";
import { searchableText } from "../notes/searchable-text.ts";
import { searchIndex, type RankedNote, type Ranking } from "./search-index.ts";
import { makeSnippet } from "./snippet.ts";

/** Hits for any text at all, best first, with the passages that show why. */
export async function searchNotes(root: string, index: LiveIndex, query: MemoryQuery): Promise<MemoryHit[]> {
  const { ranking, languages } = await index.read((view) => ({ ranking: searchIndex(view, query), languages: view.languages }));
  return Promise.all(ranking.notes.map((note) => toHit(root, note, ranking, languages)));
}

async function toHit(root: string, note: RankedNote, ranking: Ranking, languages: IndexView["languages"]): Promise<MemoryHit> {
  const { language, ...hit } = note;
  return { ...hit, snippet: makeSnippet(await readText(root, note.path), ranking.terms, language, languages) };
}

/** The searchable text of a note's file; nothing where the file has gone or broken since it was indexed. */
async function readText(root: string, path: string): Promise<string> {
  const text = await readFile(join(root, path), "utf8").catch(() => "");
  const note = await parseNote(text, "");
  return isProblem(note) ? "" : searchableText(note);
}
