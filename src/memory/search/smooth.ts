/**
 * Neighbour smoothing: notes that resemble each other are about as relevant, so that a note's score moves toward the
 * scores of those most like it ("score regularization", Diaz 2007). Pure.
 */
import { makeTokenCounter, type TokenCounter } from "../index/token-counter.ts";

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
  /** The tokens of the note's title and body, in reading order: so sums are the same whatever numbers tokens have. */
  tokens: Uint32Array;
}

/** New scores of the best notes; `scored` is sorted, best first, and keeps its order. `rarityOf` weighs tokens. */
export function smoothScores(scored: Scored[], rarityOf: (token: number) => number): number[] {
  const top = scored.slice(0, SMOOTHED);
  const strength = strengthFor(top);
  if (strength === 0) return scored.map(({ score }) => score);
  const counter = makeTokenCounter();
  const likeness = compareAll(top.map(({ tokens }) => weighTokens(tokens, counter, rarityOf)));
  return scored.map(({ score }, index) => {
    if (index >= top.length) return score;
    const row = likeness.subarray(index * top.length, (index + 1) * top.length);
    let [all, around] = [0, 0];
    for (const place of mostAlike(row)) {
      all += row[place] ?? 0;
      around += (row[place] ?? 0) * (top[place]?.score ?? 0);
    }
    // A note is most like itself: with few or distant neighbours it keeps its own score.
    return (score + strength * around) / (1 + strength * all);
  });
}

/** The places of the neighbours in a row of likenesses, most alike first, of equals the earlier. */
function mostAlike(row: Float64Array): number[] {
  const places: number[] = [];
  for (let place = 0; place < row.length; place++) if ((row[place] ?? 0) > 0) places.push(place);
  return places.sort((a, b) => (row[b] ?? 0) - (row[a] ?? 0)).slice(0, NEIGHBOURS);
}

/** How much neighbours count, 0 to 1. */
function strengthFor(top: Scored[]): number {
  const share = (top[TENTH]?.score ?? 0) / Math.max(top[0]?.score ?? 0, Number.MIN_VALUE);
  return Math.min(1, Math.max(0, (share - STANDS_OUT) / (LEVEL - STANDS_OUT)));
}

/** A note as a unit vector. */
interface Vector {
  tokens: number[];
  weights: number[];
}

/** Rarer tokens weigh more. */
function weighTokens(tokens: Uint32Array, counter: TokenCounter, rarityOf: (token: number) => number): Vector {
  const vector: Vector = { tokens: [], weights: [] };
  let square = 0;
  counter.add(tokens, 1);
  counter.take((token, count) => {
    const weight = (1 + Math.log(count)) * rarityOf(token);
    vector.tokens.push(token);
    vector.weights.push(weight);
    square += weight * weight;
  });
  const length = Math.sqrt(square) || 1;
  return { tokens: vector.tokens, weights: vector.weights.map((weight) => weight / length) };
}

/** The cosine of every two vectors, row by row; nothing is like itself. Token by token, since most are in few notes. */
function compareAll(vectors: Vector[]): Float64Array {
  const likeness = new Float64Array(vectors.length * vectors.length);
  const holders = new Map<number, { places: number[]; weights: number[] }>();
  for (const [place, { tokens, weights }] of vectors.entries()) {
    for (const [index, token] of tokens.entries()) {
      const weight = weights[index] ?? 0;
      const known = holders.get(token);
      if (known === undefined) {
        holders.set(token, { places: [place], weights: [weight] });
        continue;
      }
      addProducts(likeness, place * vectors.length, known, weight);
      known.places.push(place);
      known.weights.push(weight);
    }
  }
  for (let row = 0; row < vectors.length; row++) {
    for (let column = 0; column < row; column++) {
      likeness[column * vectors.length + row] = likeness[row * vectors.length + column] ?? 0;
    }
  }
  return likeness;
}

/** Adds a token's share to the likeness of one note, whose row begins at `row`, with each earlier holder of the token. */
function addProducts(
  likeness: Float64Array,
  row: number,
  { places, weights }: { places: number[]; weights: number[] },
  weight: number,
): void {
  for (let index = 0; index < places.length; index++) {
    const at = row + (places[index] ?? 0);
    likeness[at] = (likeness[at] ?? 0) + (weights[index] ?? 0) * weight;
  }
}
