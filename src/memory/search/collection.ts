/** What the index as a whole knows: how many notes there are, how long, and how many hold a term. */
import type BetterSqlite3 from "better-sqlite3";
import type { Term } from "./plan-query.ts";
import { TITLE_WEIGHT, weighRarity, type Collection } from "./score.ts";

export interface IndexStatistics {
  notes: number;
  describe(terms: Term[]): Collection;
  /** In how many notes a token occurs. */
  countOf(token: string): number;
  /** How rare a token is. */
  rarityOf(token: string): number;
}

/** `known` remembers how often tokens occur, from search to search while the index stays as it is. */
export function openStatistics(reader: BetterSqlite3.Database, known: Map<string, number>): IndexStatistics {
  const totals = reader.prepare<[], { notes: number; title_length: number; body_length: number }>("SELECT * FROM totals").get();
  const notes = totals?.notes ?? 0;
  const averageLength = (TITLE_WEIGHT * (totals?.title_length ?? 0) + (totals?.body_length ?? 0)) / Math.max(1, notes);
  const exact = reader.prepare<[string], number>("SELECT notes FROM terms WHERE term = ?").pluck();
  const ranged = reader.prepare<[string, string], number>("SELECT total(notes) FROM terms WHERE term >= ? AND term < ?").pluck();
  const countOf = (token: string) => {
    const count = known.get(token) ?? exact.get(token) ?? 0;
    known.set(token, count);
    return count;
  };
  const countTerm = ({ tokens, prefix }: Term) => {
    const found = tokens.reduce((sum, token) => sum + countOf(token), 0);
    return Math.min(notes, prefix === undefined ? found : found + (ranged.get(prefix, `${prefix}\u{10ffff}`) ?? 0));
  };
  return {
    notes,
    describe: (terms) => ({ notes, averageLength, frequencies: terms.map(countTerm) }),
    countOf,
    rarityOf: (token) => weighRarity(notes, countOf(token)),
  };
}
