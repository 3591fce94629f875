import type BetterSqlite3 from "better-sqlite3";
import { prepareOnce } from "./statements.ts";

/** Numbers of tokens while notes are indexed; new ones are written by `flush`. */
export interface Vocabulary {
  /** The number of a token; a new one where it never came before. */
  numberOf: (token: string) => number;
  flush: () => void;
}

/** How many tokens ever had a number; numbers are below. */
export function countTokens(database: BetterSqlite3.Database): number {
  return prepareOnce<{ terms: number }>(database, "SELECT terms FROM totals").get()?.terms ?? 0;
}

export function openVocabulary(writer: BetterSqlite3.Database): Vocabulary {
  const select = prepareOnce<{ number: number }>(writer, "SELECT number FROM terms WHERE term = ?");
  const insert = prepareOnce(writer, "INSERT INTO terms VALUES (?, ?)");
  let next = countTokens(writer);
  const isNew = next === 0;
  const numbers = new Map<string, number>();
  const added: string[] = [];
  return {
    numberOf(token) {
      const known = numbers.get(token);
      if (known !== undefined) return known;
      const stored = isNew ? undefined : select.get(token)?.number;
      if (stored === undefined) added.push(token);
      const number = stored ?? next++;
      numbers.set(token, number);
      return number;
    },
    flush() {
      if (added.length === 0) return;
      // In order, so that a whole index is written from front to back.
      for (const token of added.sort()) insert.run(token, numbers.get(token) ?? 0);
      added.length = 0;
      prepareOnce(writer, "UPDATE totals SET terms = ?").run(next);
    },
  };
}
