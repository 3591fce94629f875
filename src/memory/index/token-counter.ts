/** Counts the tokens of one note after the other, in an array that stays: an object for each token of each note is a lot of garbage. */

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

function enlarge(counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(counts.length * 2);
  larger.set(counts);
  return larger;
}
