/** What the index as a whole knows: how many notes there are, how long, and how many hold a term. */
import { weighLength } from "../index/field-weights.ts";
import type { IndexTables } from "../index/index-tables.ts";
import { prepareOnce } from "../index/statements.ts";
import type { Term } from "./plan-query.ts";
import { weighRarity, type Collection } from "./score.ts";

export interface IndexStatistics {
  describe(terms: Term[]): Collection;
  /** In how many notes a token occurs. */
  countOf(token: string): number;
  /** How rare the token with a number is. */
  rarityOf(number: number): number;
}

interface Totals {
  notes: number;
  title_length: number;
  body_length: number;
}

export function openStatistics({ reader, frequencyOf }: Pick<IndexTables, "reader" | "frequencyOf">): IndexStatistics {
  const totals = prepareOnce<Totals>(reader, "SELECT notes, title_length, body_length FROM totals").get();
  const notes = totals?.notes ?? 0;
  const averageLength = weighLength(totals?.title_length ?? 0, totals?.body_length ?? 0) / Math.max(1, notes);
  const exact = prepareOnce<{ number: number }>(reader, "SELECT number FROM terms WHERE term = ?");
  const ranged = prepareOnce<{ number: number }>(reader, "SELECT number FROM terms WHERE term >= ? AND term < ?");

  function numbersOf({ tokens, prefix }: Term): number[] {
    const rows = tokens.flatMap((token) => exact.get(token) ?? []);
    const more = prefix === undefined ? [] : ranged.all(prefix, `${prefix}\u{10ffff}`);
    return [...new Set([...rows, ...more].map(({ number }) => number))];
  }

  return {
    describe(terms) {
      const tokens = terms.map(numbersOf);
      const frequencies = tokens.map((numbers) =>
        Math.min(
          notes,
          numbers.reduce((sum, number) => sum + frequencyOf(number), 0),
        ),
      );
      return { notes, averageLength, frequencies, tokens };
    },
    countOf(token) {
      const row = exact.get(token);
      return row === undefined ? 0 : frequencyOf(row.number);
    },
    rarityOf: (number) => weighRarity(notes, frequencyOf(number)),
  };
}
