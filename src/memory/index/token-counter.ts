/** Counts the tokens of one note after the other, in an array that stays: an object for each token of each note is a lot of garbage. */

export interface TokenCounter {
  /** Counts tokens, each as so many. */
  add(slots: readonly number[], times: number): void;
  /** Gives each different token with its count, in the order in which they first came; the next note begins after this. */
  take(visit: (slot: number, count: number) => void): void;
}

export function makeTokenCounter(): TokenCounter {
  let counts = new Uint32Array(2 ** 16);
  const seen: number[] = [];
  return {
    add(slots, times) {
      for (const slot of slots) {
        while (slot >= counts.length) counts = enlarge(counts);
        const count = counts[slot] ?? 0;
        if (count === 0) seen.push(slot);
        counts[slot] = count + times;
      }
    },
    take(visit) {
      for (const slot of seen) {
        visit(slot, counts[slot] ?? 0);
        counts[slot] = 0;
      }
      seen.length = 0;
    },
  };
}

function enlarge(counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(counts.length * 2);
  larger.set(counts);
  return larger;
}
