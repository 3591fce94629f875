import type BetterSqlite3 from "better-sqlite3";
import type { IndexView } from "../index/live-index.ts";
import { isLanguage, type Language } from "../text/languages.ts";
import { conditionFor, type Condition, type Hidden } from "./filters.ts";
import { excludedExpression, matchExpression } from "./match-expression.ts";
import { parseQuery } from "./parse-query.ts";
import { planQuery, type QueryPlan, type Term } from "./plan-query.ts";
import { scoreNote, TITLE_WEIGHT, weighRarity, type Collection } from "./score.ts";
import { smoothScores } from "./smooth.ts";

interface NoteRow {
  path: string;
  id: string;
  type: string;
  status: string;
  run: string;
  created: string;
  title: string;
  language: Language;
}

export interface RankedNote extends NoteRow {
  /** Higher is better; only comparable within one search. */
  score: number;
}

export interface Ranking {
  notes: RankedNote[];
  /** What the query asked for, to be marked in snippets. */
  terms: Term[];
}

const CANDIDATES = 200;
/** In a store this large, words in more than this share of the notes find no candidates; they still count in scores. */
const LARGE_STORE = 5000;
const COMMON_SHARE = 0.02;
const COLUMNS = "n.path, n.id, n.type, n.status, n.run, n.created, n.title, n.language";

/** The best notes for a query, best first; the newest first where the query asks for no word. */
export function searchIndex({ reader, languages }: IndexView, query: { text: string; limit: number; hide?: Hidden | undefined }): Ranking {
  const parsed = parseQuery(query.text);
  const condition = conditionFor(parsed.filters, query.hide);
  const plan = planQuery(parsed, presentLanguages(reader), languages);
  const collection = describeCollection(reader, plan.terms);
  const expression = matchExpression(plan, rareTerms(plan.terms, collection));
  if (expression === undefined) {
    const asksForWords = parsed.words.length + parsed.phrases.length > 0;
    return { notes: asksForWords ? [] : listNewest(reader, plan, condition, query.limit), terms: [] };
  }
  const candidates = findCandidates(reader, expression, condition, Math.max(CANDIDATES, query.limit));
  return { notes: rankCandidates(reader, candidates, plan.terms, collection).slice(0, query.limit), terms: plan.terms };
}

interface Candidate extends NoteRow {
  titleTokens: string;
  bodyTokens: string;
  extraTokens: string;
}

function findCandidates(reader: BetterSqlite3.Database, expression: string, condition: Condition, limit: number): Candidate[] {
  return reader
    .prepare<unknown[], Candidate>(
      `SELECT ${COLUMNS}, a.title AS titleTokens, a.body AS bodyTokens, a.extra AS extraTokens
       FROM analysed a JOIN notes n ON n.note = a.rowid
       WHERE analysed MATCH ? AND ${condition.sql} ORDER BY a.rank LIMIT ?`,
    )
    .all(expression, ...condition.values, limit);
}

function rankCandidates(reader: BetterSqlite3.Database, candidates: Candidate[], terms: Term[], collection: Collection): RankedNote[] {
  const scored = candidates
    .map(({ titleTokens, bodyTokens, extraTokens, ...row }) => {
      const tokens = { title: split(titleTokens), body: split(bodyTokens), extra: split(extraTokens) };
      return { row, tokens: [...tokens.title, ...tokens.body], score: scoreNote(tokens, terms, collection) };
    })
    .toSorted((a, b) => b.score - a.score || compareIds(a.row, b.row));
  const smoothed = smoothScores(scored, rarityIn(reader, collection.notes));
  return scored
    .map(({ row, score }, index) => withScore(row, smoothed[index] ?? score))
    .toSorted((a, b) => b.score - a.score || compareIds(a, b));
}

/** Looks up how rare a token is in the index, once for each. */
function rarityIn(reader: BetterSqlite3.Database, notes: number): (token: string) => number {
  const found = reader.prepare<[string], number>("SELECT doc FROM vocabulary WHERE term = ?").pluck();
  const known = new Map<string, number>();
  return (token) => {
    const rarity = known.get(token) ?? weighRarity(notes, found.get(token) ?? 0);
    known.set(token, rarity);
    return rarity;
  };
}

/** Notes without regard to words, newest first. */
function listNewest(reader: BetterSqlite3.Database, plan: QueryPlan, condition: Condition, limit: number): RankedNote[] {
  const unwanted = excludedExpression(plan);
  const without = unwanted === undefined ? "" : "AND n.note NOT IN (SELECT rowid FROM analysed WHERE analysed MATCH ?)";
  const values = [...condition.values, ...(unwanted === undefined ? [] : [unwanted]), limit];
  const sql = `SELECT ${COLUMNS} FROM notes n WHERE ${condition.sql} ${without} ORDER BY n.created DESC, n.id LIMIT ?`;
  return reader
    .prepare<unknown[], NoteRow>(sql)
    .all(...values)
    .map((row) => withScore(row, 0));
}

function withScore(row: NoteRow, score: number): RankedNote {
  return { ...row, score };
}

function presentLanguages(reader: BetterSqlite3.Database): Language[] {
  return reader.prepare<[], string>("SELECT DISTINCT language FROM notes").pluck().all().filter(isLanguage);
}

function describeCollection(reader: BetterSqlite3.Database, terms: Term[]): Collection {
  const totals = reader.prepare<[], { notes: number; title_length: number; body_length: number }>("SELECT * FROM totals").get();
  const notes = totals?.notes ?? 0;
  const exact = reader.prepare<[string], number>("SELECT doc FROM vocabulary WHERE term = ?").pluck();
  const ranged = reader.prepare<[string, string], number>("SELECT total(doc) FROM vocabulary WHERE term >= ? AND term < ?").pluck();
  const frequencies = terms.map(({ tokens, prefix }) => {
    const found = tokens.reduce((sum, token) => sum + (exact.get(token) ?? 0), 0);
    return Math.min(notes, prefix === undefined ? found : found + (ranged.get(prefix, `${prefix}\u{10ffff}`) ?? 0));
  });
  return {
    notes,
    averageLength: (TITLE_WEIGHT * (totals?.title_length ?? 0) + (totals?.body_length ?? 0)) / Math.max(1, notes),
    frequencies,
  };
}

/** The terms that find candidates: all in a small store, and in a large one all that are not common. */
function rareTerms(terms: Term[], { notes, frequencies }: Collection): Term[] {
  if (notes < LARGE_STORE) return terms;
  const rare = terms.filter((_, index) => (frequencies[index] ?? 0) <= COMMON_SHARE * notes && (frequencies[index] ?? 0) > 0);
  return rare.length === 0 ? terms : rare;
}

function split(tokens: string): string[] {
  return tokens === "" ? [] : tokens.split(" ");
}

function compareIds(a: NoteRow, b: NoteRow): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
