import type BetterSqlite3 from "better-sqlite3";
import { changeFrequencies } from "./frequencies.ts";

/** Numbers of tokens while notes are indexed, and the counts that change; both are written at the end of a transaction. */
export interface Vocabulary {
  /** The number of a token; a new one where it never came before. */
  numberOf(token: string): number;
  /** A note with this token came (1) or went (-1). */
  count(number: number, change: 1 | -1): void;
  flush(): void;
}

export function openVocabulary(writer: BetterSqlite3.Database): Vocabulary {
  const select = writer.prepare<[string], number>("SELECT number FROM terms WHERE term = ?").pluck();
  const insert = writer.prepare("INSERT INTO terms VALUES (?, ?)");
  let next = writer.prepare<[], number>("SELECT terms FROM totals").pluck().get() ?? 0;
  const isNew = next === 0;
  const numbers = new Map<string, number>();
  const added: string[] = [];
  const changes = new Map<number, number>();
  return {
    numberOf(token) {
      const known = numbers.get(token);
      if (known !== undefined) return known;
      const stored = isNew ? undefined : select.get(token);
      if (stored === undefined) added.push(token);
      const number = stored ?? next++;
      numbers.set(token, number);
      return number;
    },
    count: (number, change) => void changes.set(number, (changes.get(number) ?? 0) + change),
    flush() {
      // In order, so that a whole index is written from front to back.
      for (const token of added.sort()) insert.run(token, numbers.get(token));
      added.length = 0;
      writer.prepare("UPDATE totals SET terms = ?").run(next);
      changeFrequencies(writer, changes);
      changes.clear();
    },
  };
}
