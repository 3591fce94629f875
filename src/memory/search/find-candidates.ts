/** Finds the notes that are worth a closer look: those with the best scores, of those that meet what the query requires. */
import type BetterSqlite3 from "better-sqlite3";
import type { IndexTables } from "../index/index-tables.ts";
import type { Condition } from "./filters.ts";
import type { QueryPlan, Term } from "./plan-query.ts";
import { openCandidates, type Candidate } from "./read-candidate.ts";
import { readRequirements, type Requirements } from "./requirements.ts";
import { scorePostings, weightOf, type Collection } from "./score.ts";
import { ScoredNotes } from "./scored-notes.ts";

export interface Wanted {
  collection: Collection;
  condition: Condition;
  limit: number;
}

export interface Bounds {
  /** Notes ranked closely. */
  candidates: number;
  /** Postings that are read for scores: about fifty million a second. The rarest word's are read however many they are. */
  postings: number;
  /** Notes whose text is searched for phrases. */
  searched: number;
}

const BOUNDS: Bounds = { candidates: 60, postings: 4_000_000, searched: 50_000 };
/** Less than any word adds: the score of a note that only meets what is required. */
const LEAST = 1e-9;
const GROWTH = 8;

/**
 * The notes with the best scores, best first. All words of a query count, but in very large stores only its rarest ones find
 * notes; the others still add to the scores that are worked out closely later.
 *
 * @returns undefined where the query asks for no word
 */
export function findCandidates(
  tables: IndexTables,
  plan: QueryPlan,
  terms: Term[],
  wanted: Wanted,
  bounds: Bounds = BOUNDS,
): Candidate[] | undefined {
  if (terms.length + plan.required.length === 0) return undefined;
  const scored = scoreNotes(terms, wanted.collection, tables, bounds);
  const requirements = readRequirements(plan, tables);
  meetMarks(scored, requirements, tables);
  return chooseBest(tables, scored, requirements, wanted, bounds);
}

/**
 * Searches come one after the other, and share the rows for their scores: with megabytes that each of them leaves behind,
 * every seventh search among a million notes waited for a collection of garbage.
 */
const sharedScores = new WeakMap<IndexTables, ScoredNotes>();

function emptyScores(tables: IndexTables): ScoredNotes {
  const known = sharedScores.get(tables);
  known?.clear();
  const scores = known ?? new ScoredNotes(tables.size);
  sharedScores.set(tables, scores);
  return scores;
}

function scoreNotes(terms: Term[], collection: Collection, tables: IndexTables, bounds: Bounds): ScoredNotes {
  const { lengths, postingsOf } = tables;
  const scored = emptyScores(tables);
  let read = 0;
  for (const [index, found] of [...collection.frequencies.entries()].sort(([, a], [, b]) => a - b)) {
    read += found;
    if (read > bounds.postings && read > found) break;
    const weight = weightOf(terms[index], collection, index);
    const postings = postingsOf(collection.tokens[index] ?? []);
    scorePostings(postings, weight, collection.averageLength, lengths, (note, score) => scored.add(note, score));
  }
  return scored;
}

/** Leaves out notes that are gone, lack a word of a required phrase or hold an excluded beginning. */
function meetMarks(scored: ScoredNotes, { mayHold, excluded }: Requirements, { size, gone }: IndexTables): void {
  const [first] = mayHold;
  if (first !== undefined) {
    const holdsAll = (note: number) => mayHold.every((marks) => marks[note] === 1);
    for (let note = 0; note < size; note++) if (first[note] === 1) scored.add(note, LEAST);
    scored.keep(holdsAll);
  }
  if (excluded !== undefined) scored.keep((note) => excluded[note] === 0);
  if (gone.length > 0) scored.drop(gone);
}

/** Looks at the best notes, then at ever more of them, until enough meet the condition and hold the phrases. */
function chooseBest(
  tables: IndexTables,
  scored: ScoredNotes,
  { isMetBy }: Requirements,
  { condition, limit }: Wanted,
  bounds: Bounds,
): Candidate[] {
  const enough = Math.max(bounds.candidates, limit);
  const candidateOf = openCandidates(tables, condition);
  const among = (most: number): Candidate[] => {
    const chosen: Candidate[] = [];
    let least = 0;
    for (const note of scored.best(most)) {
      if (chosen.length >= enough && scored.scoreOf(note) < least) break;
      const candidate = candidateOf(note);
      if (candidate === undefined || !isMetBy(candidate)) continue;
      chosen.push(candidate);
      least = scored.scoreOf(note);
    }
    return chosen;
  };
  let chosen = among(enough);
  if (chosen.length >= enough || scored.length <= enough) return chosen;
  // What is wanted may be rare, and one look at all notes costs less than many at single ones.
  const fitting = notesMeeting(tables.reader, condition);
  scored.keep((note) => fitting.has(note));
  const all = Math.min(scored.length, Math.max(bounds.searched, enough));
  for (let most = enough; chosen.length < enough && most < all * GROWTH; most *= GROWTH) chosen = among(Math.min(most, all));
  return chosen;
}

function notesMeeting(reader: BetterSqlite3.Database, condition: Condition): Set<number> {
  const rows = reader.prepare<string[], number>(`SELECT n.note FROM notes n WHERE ${condition.sql}`).pluck();
  return new Set(rows.all(...condition.values));
}
