import type BetterSqlite3 from "better-sqlite3";
import type { IndexView } from "../index/live-index.ts";
import { prepareOnce } from "../index/statements.ts";
import { tokensOfPart } from "../text/analyse.ts";
import { isLanguage, type Language } from "../text/languages.ts";
import { openStatistics } from "./collection.ts";
import { conditionFor, type Hidden } from "./filters.ts";
import { findCandidates } from "./find-candidates.ts";
import { listNewest } from "./list-newest.ts";
import { COLUMNS, type NoteRow, type RankedNote } from "./note-row.ts";
import { asksForNothing, parseQuery, type Filter } from "./parse-query.ts";
import { planQuery, type Term } from "./plan-query.ts";
import { rankCandidates } from "./rank-candidates.ts";
import { splitCompounds } from "./split-compounds.ts";
import { correctTerms, type Correction } from "./spelling.ts";

export interface IndexQuery {
  text: string;
  limit: number;
  hide?: Hidden | undefined;
  /** Beside those in the text. */
  filters?: Filter[] | undefined;
}

/** As others see it: rows of the index are renumbered whenever it is rebuilt. */
export type ListedNote = Omit<RankedNote, "note">;

export interface Ranking {
  notes: RankedNote[];
  /** What the query asked for, to be marked in snippets. */
  terms: Term[];
  corrections: Correction[];
}

/** The best notes for a query, best first; the newest first where the query asks for no word. */
export function searchIndex(view: IndexView, { text, limit, hide, filters = [] }: IndexQuery): Ranking {
  const parsed = parseQuery(text);
  const condition = conditionFor([...parsed.filters, ...filters], hide);
  const { reader, languages } = view;
  const tables = view.tables();
  const statistics = openStatistics(tables);
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
  const candidates = findCandidates(tables, plan, terms, { collection, condition, limit });
  if (candidates === undefined) {
    const notes = asksForNothing(text, parsed) ? listNewest(tables, plan, { condition, limit }) : [];
    return { notes, terms: [], corrections: [] };
  }
  const ranked = rankCandidates(candidates, terms, collection, { limit, rarityOf: (token) => statistics.rarityOf(token) });
  const rowOf = prepareOnce<NoteRow>(reader, `SELECT ${COLUMNS} FROM notes n WHERE n.note = ?`);
  const notes = ranked.flatMap(({ note, score, explanation }) => {
    const row = rowOf.get(note);
    return row === undefined ? [] : [Object.assign(row, { score, explanation })];
  });
  return { notes, terms, corrections };
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
