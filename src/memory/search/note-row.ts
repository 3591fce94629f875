import type { Language } from "../text/languages.ts";
import type { Explanation } from "./rank-candidates.ts";

/** What a search says of a note, but for what its file holds. */
export interface NoteRow {
  note: number;
  path: string;
  id: string;
  type: string;
  status: string;
  run: string;
  created: string;
  title: string;
  language: Language;
}

/** The columns of a `NoteRow` in the table of notes, called `n`. */
export const COLUMNS = "n.note, n.path, n.id, n.type, n.status, n.run, n.created, n.title, n.language";

export interface RankedNote extends NoteRow {
  /** Higher is better; only comparable within one search. */
  score: number;
  explanation: Explanation;
}
