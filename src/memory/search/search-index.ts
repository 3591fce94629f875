import type BetterSqlite3 from "better-sqlite3";
import type { IndexView } from "../index/live-index.ts";
import { prepareOnce } from "../index/statements.ts";
import { tokensOfPart } from "../text/analyse.ts";
import { isLanguage, type Language } from "../text/languages.ts";
import { openStatistics } from "./collection.ts";
import { conditionFor, type Condition, type Hidden } from "./filters.ts";
import { findCandidates } from "./find-candidates.ts";
import { excludedExpression } from "./match-expression.ts";
import { asksForNothing, parseQuery, type Filter } from "./parse-query.ts";
import { planQuery, type QueryPlan, type Term } from "./plan-query.ts";
import { rankCandidates, type Explanation } from "./rank-candidates.ts";
import { splitCompounds } from "./split-compounds.ts";
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

const COLUMNS = "n.note, n.path, n.id, n.type, n.status, n.run, n.created, n.title, n.language";

/** The best notes for a query, best first; the newest first where the query asks for no word. */
export function searchIndex({ reader, languages, frequencies }: IndexView, { text, limit, hide, filters = [] }: IndexQuery): Ranking {
  const parsed = parseQuery(text);
  const condition = conditionFor([...parsed.filters, ...filters], hide);
  const statistics = openStatistics(reader, frequencies);
  const present = presentLanguages(reader);
  const plan = planQuery(parsed, present, languages);
  const asked = splitCompounds(
    plan.terms,
    present.flatMap((code) => languages.get(code) ?? []),
    (token) => statistics.countOf(token),
  );
  const { terms, corrections } = correctTerms(
    asked,
    statistics.describe(asked).frequencies,
    (token) => statistics.countOf(token),
    (word) => present.flatMap((code) => tokensOfPart(word, languages.get(code))),
  );
  const collection = statistics.describe(terms);
  const candidates = findCandidates(reader, plan, terms, { collection, condition, limit });
  if (candidates === undefined) {
    return { notes: asksForNothing(text, parsed) ? listNewest(reader, plan, condition, limit) : [], terms: [], corrections: [] };
  }
  const ranked = rankCandidates(candidates, terms, collection, { limit, rarityOf: (token) => statistics.rarityOf(token) });
  const rowOf = prepareOnce<NoteRow>(reader, `SELECT ${COLUMNS} FROM notes n WHERE n.note = ?`);
  const notes = ranked.flatMap(({ note, score, explanation }) => {
    const row = rowOf.get(note);
    return row === undefined ? [] : [Object.assign(row, { score, explanation })];
  });
  return { notes, terms, corrections };
}

/** Notes without regard to words, newest first. */
function listNewest(reader: BetterSqlite3.Database, plan: QueryPlan, condition: Condition, limit: number): RankedNote[] {
  const unwanted = excludedExpression(plan);
  const without = unwanted === undefined ? "" : "AND n.note NOT IN (SELECT rowid FROM analysed WHERE analysed MATCH ?)";
  const values = [...condition.values, ...(unwanted === undefined ? [] : [unwanted]), limit];
  const sql = `SELECT ${COLUMNS} FROM notes n WHERE ${condition.sql} ${without} ORDER BY n.created DESC, n.id LIMIT ?`;
  return prepareOnce<NoteRow>(reader, sql)
    .all(...values)
    .map((row) => Object.assign(row, { score: 0, explanation: { terms: [], neighbours: 0 } }));
}

/** The languages of the notes, found by steps through their index: `DISTINCT` would read all of it. */
function presentLanguages(reader: BetterSqlite3.Database): Language[] {
  const sql = `WITH RECURSIVE present(language) AS (
      SELECT min(language) FROM notes
      UNION ALL SELECT (SELECT min(n.language) FROM notes n WHERE n.language > present.language) FROM present WHERE present.language IS NOT NULL
    ) SELECT language FROM present WHERE language IS NOT NULL`;
  return prepareOnce<{ language: string }>(reader, sql)
    .all()
    .map(({ language }) => language)
    .filter(isLanguage);
}
