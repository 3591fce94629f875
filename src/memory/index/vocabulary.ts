import type BetterSqlite3 from "better-sqlite3";
import { changeFrequencies } from "./frequencies.ts";

/**
 * Numbers of tokens while notes are indexed, and the counts that change; both are written at the end of a transaction.
 * The tokens that came up since it was opened also have a slot, counted from 0 on: numbers may run to millions.
 */
export interface Vocabulary {
  slotOf(token: string): number;
  /** The number of the token in a slot; a new one where it never came before. */
  numberAt(slot: number): number;
  /** A note with the token in a slot came. */
  come(slot: number): void;
  /** A note with the token of a number went. */
  leave(number: number): void;
  flush(): void;
}

export function openVocabulary(writer: BetterSqlite3.Database): Vocabulary {
  const select = writer.prepare<[string], number>("SELECT number FROM terms WHERE term = ?").pluck();
  const insert = writer.prepare("INSERT INTO terms VALUES (?, ?)");
  let next = writer.prepare<[], number>("SELECT terms FROM totals").pluck().get() ?? 0;
  const isNew = next === 0;
  const slots = new Map<string, number>();
  const numbers: number[] = [];
  const came: number[] = [];
  const left = new Map<number, number>();
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
      came.push(0);
      slots.set(token, slot);
      return slot;
    },
    come: (slot) => void (came[slot] = (came[slot] ?? 0) + 1),
    leave: (number) => void left.set(number, (left.get(number) ?? 0) + 1),
    flush() {
      // In order, so that a whole index is written from front to back.
      for (const token of added.sort()) insert.run(token, numberAt(slots.get(token) ?? 0));
      added.length = 0;
      writer.prepare("UPDATE totals SET terms = ?").run(next);
      const changes = new Map(Array.from(left, ([number, times]) => [number, -times]));
      for (const [slot, times] of came.entries()) {
        const number = numberAt(slot);
        if (times > 0) changes.set(number, (changes.get(number) ?? 0) + times);
      }
      changeFrequencies(writer, changes);
      came.fill(0);
      left.clear();
    },
  };
}
