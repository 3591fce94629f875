import type BetterSqlite3 from "better-sqlite3";
import type { IndexView } from "../index/live-index.ts";
import { tokensOfPart } from "../text/analyse.ts";
import { isLanguage, type Language } from "../text/languages.ts";
import { openStatistics, type IndexStatistics } from "./collection.ts";
import { conditionFor, type Condition, type Hidden } from "./filters.ts";
import { excludedExpression, matchExpression } from "./match-expression.ts";
import { parseQuery, type Filter } from "./parse-query.ts";
import { planQuery, type QueryPlan, type Term } from "./plan-query.ts";
import { scoreTerms, type Collection } from "./score.ts";
import { smoothScores } from "./smooth.ts";
import { correctTerms, type Correction } from "./spelling.ts";

export interface IndexQuery {
  text: string;
  limit: number;
  hide?: Hidden | undefined;
  /** Beside those in the text. */
  filters?: Filter[] | undefined;
}

interface NoteRow {
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

/** How a note came to its score. */
export interface Explanation {
  /** What each word of the query added; those that added nothing are left out. */
  terms: { word: string; tokens: string[]; score: number }[];
  /** What the notes that resemble it added or took. */
  neighbours: number;
}

export interface RankedNote extends NoteRow {
  /** Higher is better; only comparable within one search. */
  score: number;
  explanation: Explanation;
}

/** As others see it: rows of the index are renumbered whenever it is rebuilt. */
export type ListedNote = Omit<RankedNote, "note">;

export interface Ranking {
  notes: RankedNote[];
  /** What the query asked for, to be marked in snippets. */
  terms: Term[];
  corrections: Correction[];
}

const CANDIDATES = 200;
/** In a store this large, words in more than this share of the notes find no candidates; they still count in scores. */
const LARGE_STORE = 5000;
const COMMON_SHARE = 0.02;
const COLUMNS = "n.note, n.path, n.id, n.type, n.status, n.run, n.created, n.title, n.language";

/** The best notes for a query, best first; the newest first where the query asks for no word. */
export function searchIndex({ reader, languages, tokenCounts }: IndexView, { text, limit, hide, filters = [] }: IndexQuery): Ranking {
  const parsed = parseQuery(text);
  const condition = conditionFor([...parsed.filters, ...filters], hide);
  const statistics = openStatistics(reader, tokenCounts);
  const present = presentLanguages(reader);
  const plan = planQuery(parsed, present, languages);
  const stemsOf = (word: string) => present.flatMap((code) => tokensOfPart(word, languages.get(code)));
  const { terms, corrections } = correctTerms(
    plan.terms,
    statistics.describe(plan.terms).frequencies,
    (token) => statistics.countOf(token),
    stemsOf,
  );
  const collection = statistics.describe(terms);
  const expression = matchExpression(plan, rareTerms(terms, collection));
  if (expression === undefined) {
    const asksForWords = parsed.words.length + parsed.phrases.length > 0;
    return { notes: asksForWords ? [] : listNewest(reader, plan, condition, limit), terms: [], corrections: [] };
  }
  const candidates = findCandidates(reader, expression, condition, Math.max(CANDIDATES, limit));
  const notes = rankCandidates(candidates, terms, collection, statistics);
  return { notes: notes.slice(0, limit), terms, corrections };
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

function rankCandidates(candidates: Candidate[], terms: Term[], collection: Collection, statistics: IndexStatistics): RankedNote[] {
  const scored = candidates
    .map(({ titleTokens, bodyTokens, extraTokens, ...row }) => {
      const tokens = { title: split(titleTokens), body: split(bodyTokens), extra: split(extraTokens) };
      const parts = scoreTerms(tokens, terms, collection);
      return { row, parts, tokens: [...tokens.title, ...tokens.body], score: parts.reduce((sum, part) => sum + part, 0) };
    })
    .toSorted((a, b) => b.score - a.score || compareIds(a.row, b.row));
  const smoothed = smoothScores(scored, (token) => statistics.rarityOf(token));
  return scored
    .map(({ row, parts, score }, index) => {
      const after = smoothed[index] ?? score;
      return Object.assign(row, { score: after, explanation: { terms: explainTerms(terms, parts), neighbours: after - score } });
    })
    .toSorted((a, b) => b.score - a.score || compareIds(a, b));
}

function explainTerms(terms: Term[], parts: number[]): Explanation["terms"] {
  const scores = terms.map(({ word, tokens }, index) => ({ word, tokens, score: parts[index] ?? 0 }));
  return scores.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
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
    .map((row) => Object.assign(row, { score: 0, explanation: { terms: [], neighbours: 0 } }));
}

/** The languages of the notes, found by steps through their index: `DISTINCT` would read all of it. */
function presentLanguages(reader: BetterSqlite3.Database): Language[] {
  const sql = `WITH RECURSIVE present(language) AS (
      SELECT min(language) FROM notes
      UNION ALL SELECT (SELECT min(n.language) FROM notes n WHERE n.language > present.language) FROM present WHERE present.language IS NOT NULL
    ) SELECT language FROM present WHERE language IS NOT NULL`;
  return reader.prepare<[], string>(sql).pluck().all().filter(isLanguage);
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
