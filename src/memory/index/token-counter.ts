/** Counts the tokens of one note after the other, in arrays that stay: an object for each token of each note is a lot of garbage. */
import { packToken } from "./token-vector.ts";

type Field = "title" | "body" | "extra";

export interface TokenCounter {
  add(field: Field, slots: readonly number[]): void;
  /**
   * The note's tokens, packed in the order in which they first came; the next note begins after this. The bytes are
   * overwritten by the next.
   *
   * @param numberAt is asked once for each different token, and gives its number
   */
  take(numberAt: (slot: number) => number): Uint8Array;
}

const FIELDS = 3;
const PLACE: Record<Field, number> = { title: 0, body: 1, extra: 2 };
/** Bytes of a packed token at most: four integers. */
const WIDEST = 20;

export function makeTokenCounter(): TokenCounter {
  let counts = new Uint32Array(2 ** 16);
  let bytes = new Uint8Array(2 ** 12);
  const seen: number[] = [];
  return {
    add(field, slots) {
      for (const slot of slots) {
        const at = slot * FIELDS;
        while (at + FIELDS > counts.length) counts = enlarge(counts);
        if ((counts[at] ?? 0) + (counts[at + 1] ?? 0) + (counts[at + 2] ?? 0) === 0) seen.push(slot);
        counts[at + PLACE[field]] = (counts[at + PLACE[field]] ?? 0) + 1;
      }
    },
    take(numberAt) {
      if (seen.length * WIDEST > bytes.length) bytes = new Uint8Array(seen.length * WIDEST * 2);
      let length = 0;
      for (const slot of seen) {
        const at = slot * FIELDS;
        length = packToken(bytes, length, numberAt(slot), counts[at] ?? 0, counts[at + 1] ?? 0, counts[at + 2] ?? 0);
        counts.fill(0, at, at + FIELDS);
      }
      seen.length = 0;
      return bytes.subarray(0, length);
    },
  };
}

function enlarge(counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(counts.length * 2);
  larger.set(counts);
  return larger;
}
