/** Finds the notes that are worth a closer look; bounded whatever the query asks for and however many notes there are. */
import type BetterSqlite3 from "better-sqlite3";
import { prepareOnce } from "../index/statements.ts";
import { unpackTokens } from "../index/token-vector.ts";
import type { Condition } from "./filters.ts";
import { matchExpression } from "./match-expression.ts";
import type { QueryPlan, Term } from "./plan-query.ts";
import type { Collection, NoteTokens } from "./score.ts";

export interface Candidate extends NoteTokens {
  note: number;
  id: string;
}

export interface Bounds {
  /** Notes ranked closely. */
  candidates: number;
  /** In how many notes the words may be that find candidates by rank: FTS5 ranks about a million notes a second. */
  ranked: number;
  /** The rarest word of a query finds them alone where no more notes than these hold it. */
  rankedAlone: number;
  /** Where all words are more common, so many of the newest notes are looked at. */
  newest: number;
}

const BOUNDS: Bounds = { candidates: 200, ranked: 8000, rankedAlone: 30_000, newest: 2000 };

/**
 * In most stores all words of a query find notes, ranked by FTS5. Where they are in too many notes, only the rarest do;
 * all words count in the scores all the same. Should that give fewer notes than were asked for, the newest that hold
 * every word follow, then the newest that hold any.
 *
 * @returns undefined where the query asks for no word
 */
export function findCandidates(
  reader: BetterSqlite3.Database,
  plan: QueryPlan,
  terms: Term[],
  { collection, condition, limit }: { collection: Collection; condition: Condition; limit: number },
  bounds: Bounds = BOUNDS,
): Candidate[] | undefined {
  if (terms.length + plan.required.length === 0) return undefined;
  const select = (chosen: Term[], how: "OR" | "AND", order: string, most: number): Candidate[] => {
    const expression = matchExpression(plan, chosen, how);
    const sql = `SELECT n.note, n.id, n.title_length AS titleLength, n.body_length AS bodyLength, v.tokens AS packed
      FROM analysed a CROSS JOIN notes n ON n.note = a.rowid CROSS JOIN vectors v ON v.note = n.note
      WHERE analysed MATCH ? AND ${condition.sql} ORDER BY ${order} LIMIT ?`;
    if (expression === undefined) return [];
    const rows = prepareOnce<Omit<Candidate, "tokens"> & { packed: Uint8Array }>(reader, sql).all(expression, ...condition.values, most);
    return rows.map((row) => Object.assign(row, { tokens: unpackTokens(row.packed) }));
  };
  const rare = chooseRare(terms, collection, bounds);
  const best = select(rare, "OR", "a.rank", Math.max(bounds.candidates, limit));
  if (rare.length === terms.length || best.length >= limit) return best;
  const newest = (how: "OR" | "AND") => select(terms, how, "a.rowid DESC", Math.max(bounds.newest, limit));
  const withEvery = withoutRepeats([...best, ...newest("AND")]);
  return withEvery.length >= limit ? withEvery : withoutRepeats([...withEvery, ...newest("OR")]);
}

/** The rarest terms, as many as FTS5 ranks in time; those without hits among them. */
function chooseRare(terms: Term[], { frequencies }: Collection, bounds: Bounds): Term[] {
  const sorted = terms.map((term, index) => ({ term, found: frequencies[index] ?? 0 })).sort((a, b) => a.found - b.found);
  let found = 0;
  let isFirst = true;
  return sorted.flatMap((each) => {
    found += each.found;
    const fits = found <= (isFirst ? bounds.rankedAlone : bounds.ranked);
    isFirst &&= each.found === 0;
    return fits ? [each.term] : [];
  });
}

function withoutRepeats(candidates: Candidate[]): Candidate[] {
  return [...new Map(candidates.map((candidate) => [candidate.note, candidate])).values()];
}
