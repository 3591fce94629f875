import type BetterSqlite3 from "better-sqlite3";

/**
 * Numbers of tokens while notes are indexed; new ones are written by `flush`. The tokens that came up since it was opened
 * also have a slot, counted from 0 on: numbers may run to millions.
 */
export interface Vocabulary {
  slotOf(token: string): number;
  /** The number of the token in a slot; a new one where it never came before. */
  numberAt(slot: number): number;
  flush(): void;
}

export function openVocabulary(writer: BetterSqlite3.Database): Vocabulary {
  const select = writer.prepare<[string], number>("SELECT number FROM terms WHERE term = ?").pluck();
  const insert = writer.prepare("INSERT INTO terms VALUES (?, ?)");
  let next = writer.prepare<[], number>("SELECT terms FROM totals").pluck().get() ?? 0;
  const isNew = next === 0;
  const slots = new Map<string, number>();
  const numbers: number[] = [];
  const added: string[] = [];
  const numberAt = (slot: number): number => numbers[slot] ?? 0;
  return {
    numberAt,
    slotOf(token) {
      const known = slots.get(token);
      if (known !== undefined) return known;
      const stored = isNew ? undefined : select.get(token);
      if (stored === undefined) added.push(token);
      const slot = numbers.push(stored ?? next++) - 1;
      slots.set(token, slot);
      return slot;
    },
    flush() {
      // In order, so that a whole index is written from front to back.
      for (const token of added.sort()) insert.run(token, numberAt(slots.get(token) ?? 0));
      added.length = 0;
      writer.prepare("UPDATE totals SET terms = ?").run(next);
    },
  };
}
