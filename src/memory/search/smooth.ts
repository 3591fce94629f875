/**
 * Neighbour smoothing: notes that resemble each other are about as relevant, so that a note's score moves toward the
 * scores of those most like it ("score regularization", Diaz 2007). Pure.
 */

const SMOOTHED = 50;
const NEIGHBOURS = 20;
/**
 * Where one note stands out, it is what was looked for, and its neighbours say nothing about it. The tenth score as a
 * share of the first tells how far that is so: up to the first share nothing is smoothed, from the second on all is.
 */
const TENTH = 9;
const STANDS_OUT = 0.3;
const LEVEL = 0.6;

export interface Scored {
  score: number;
  /** All tokens of the note. */
  tokens: string[];
}

/** New scores of the best notes; `scored` is sorted, best first, and keeps its order. `rarityOf` weighs tokens. */
export function smoothScores(scored: Scored[], rarityOf: (token: string) => number): number[] {
  const top = scored.slice(0, SMOOTHED);
  const strength = strengthFor(top);
  if (strength === 0) return scored.map(({ score }) => score);
  const likeness = compareAll(top.map(({ tokens }) => weighTokens(tokens, rarityOf)));
  return scored.map(({ score }, index) => {
    if (index >= top.length) return score;
    const neighbours = top
      .map((other, place) => ({ likeness: likeness[index * top.length + place] ?? 0, score: other.score }))
      .filter((each) => each.likeness > 0)
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, NEIGHBOURS);
    const all = neighbours.reduce((sum, each) => sum + each.likeness, 0);
    const around = neighbours.reduce((sum, each) => sum + each.likeness * each.score, 0);
    // A note is most like itself: with few or distant neighbours it keeps its own score.
    return (score + strength * around) / (1 + strength * all);
  });
}

/** How much neighbours count, 0 to 1. */
function strengthFor(top: Scored[]): number {
  const share = (top[TENTH]?.score ?? 0) / Math.max(top[0]?.score ?? 0, Number.MIN_VALUE);
  return Math.min(1, Math.max(0, (share - STANDS_OUT) / (LEVEL - STANDS_OUT)));
}

/** A note as a unit vector of its tokens, rarer ones weighing more. */
function weighTokens(tokens: string[], rarityOf: (token: string) => number): Map<string, number> {
  const weights = new Map<string, number>();
  let square = 0;
  for (const [token, count] of countTokens(tokens)) {
    const weight = (1 + Math.log(count)) * rarityOf(token);
    weights.set(token, weight);
    square += weight * weight;
  }
  const length = Math.sqrt(square) || 1;
  for (const [token, weight] of weights) weights.set(token, weight / length);
  return weights;
}

function countTokens(tokens: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** The cosine of every two vectors, row by row; nothing is like itself. Token by token, since most are in few notes. */
function compareAll(vectors: Map<string, number>[]): Float64Array {
  const likeness = new Float64Array(vectors.length * vectors.length);
  const holders = new Map<string, { place: number; weight: number }[]>();
  for (const [place, vector] of vectors.entries()) {
    for (const [token, weight] of vector) {
      const known = holders.get(token);
      for (const other of known ?? []) {
        const at = other.place * vectors.length + place;
        likeness[at] = (likeness[at] ?? 0) + other.weight * weight;
      }
      if (known === undefined) holders.set(token, [{ place, weight }]);
      else known.push({ place, weight });
    }
  }
  for (let row = 0; row < vectors.length; row++) {
    for (let column = 0; column < row; column++) likeness[row * vectors.length + column] = likeness[column * vectors.length + row] ?? 0;
  }
  return likeness;
}
