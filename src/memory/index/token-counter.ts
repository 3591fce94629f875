/** Counts the tokens of one note after the other, in an array that stays: an object for each token of each note is a lot of garbage. */
import type { AnalysedNote } from "./analyse-note.ts";
import { TITLE_WEIGHT } from "./field-weights.ts";

export interface TokenCounter {
  /** Counts tokens, each as so many. */
  add: (tokens: Iterable<number>, times: number) => void;
  /** Gives each different token with its count, in the order in which they first came; the next note begins after this. */
  take: (visit: (token: number, count: number) => void) => void;
}

export function makeTokenCounter(): TokenCounter {
  let counts = new Uint32Array(2 ** 16);
  const seen: number[] = [];
  return {
    add(tokens, times) {
      for (const token of tokens) {
        while (token >= counts.length) counts = enlarge(counts);
        const count = counts[token] ?? 0;
        if (count === 0) seen.push(token);
        counts[token] = count + times;
      }
    },
    take(visit) {
      for (const token of seen) {
        visit(token, counts[token] ?? 0);
        counts[token] = 0;
      }
      seen.length = 0;
    },
  };
}

/** Counts the tokens of a note as they count in scores. */
export function countNote(
  counter: TokenCounter,
  { title, body, extra }: Omit<AnalysedNote, "language">,
  visit: (token: number, count: number) => void,
): void {
  counter.add(title, TITLE_WEIGHT);
  counter.add(body, 1);
  counter.add(extra, 1);
  counter.take(visit);
}

function enlarge(counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(counts.length * 2);
  larger.set(counts);
  return larger;
}
