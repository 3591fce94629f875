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

export function openStatistics({ reader, frequencyOf, numberOf, numbersFrom }: IndexTables): IndexStatistics {
  const totals = prepareOnce<Totals>(reader, "SELECT notes, title_length, body_length FROM totals").get();
  const notes = totals?.notes ?? 0;
  const averageLength = weighLength(totals?.title_length ?? 0, totals?.body_length ?? 0) / Math.max(1, notes);

  function numbersOf({ tokens, prefix }: Term): number[] {
    const exact = tokens.flatMap((token) => numberOf(token) ?? []);
    return [...new Set([...exact, ...(prefix === undefined ? [] : numbersFrom(prefix))])];
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
      const number = numberOf(token);
      return number === undefined ? 0 : frequencyOf(number);
    },
    rarityOf: (number) => weighRarity(notes, frequencyOf(number)),
  };
}
