/**
 * Neighbour smoothing: notes that resemble each other are about as relevant, so that a note's score moves toward the
 * scores of those most like it ("score regularization", Diaz 2007). Pure.
 */
import { makeTokenCounter } from "../index/token-counter.ts";

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
  const likeness = compareAll(weighAll(top, rarityOf));
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

/** Notes as unit vectors, one after the other in the same rows of numbers: an object for each would be a lot of garbage. */
interface Vectors {
  /** Where each note's begin; one place more than there are notes. */
  starts: number[];
  tokens: number[];
  weights: number[];
}

/** Rarer tokens weigh more. */
function weighAll(notes: Scored[], rarityOf: (token: number) => number): Vectors {
  const vectors: Vectors = { starts: [0], tokens: [], weights: [] };
  const { starts, tokens, weights } = vectors;
  const counter = makeTokenCounter();
  for (const note of notes) {
    const start = tokens.length;
    let square = 0;
    counter.add(note.tokens, 1);
    counter.take((token, count) => {
      const weight = (1 + Math.log(count)) * rarityOf(token);
      tokens.push(token);
      weights.push(weight);
      square += weight * weight;
    });
    const length = Math.sqrt(square) || 1;
    for (let at = start; at < weights.length; at++) weights[at] = (weights[at] ?? 0) / length;
    starts.push(tokens.length);
  }
  return vectors;
}

/** The cosine of every two vectors, row by row; nothing is like itself. Token by token, since most are in few notes. */
function compareAll({ starts, tokens, weights }: Vectors): Float64Array {
  const size = starts.length - 1;
  const likeness = new Float64Array(size * size);
  const notes = new Uint32Array(tokens.length);
  /** Where a token stood last, and from each of its places where it stood before; one more than the place, 0 for nowhere. */
  const last = new Map<number, number>();
  const before = new Uint32Array(tokens.length);
  for (let note = 0; note < size; note++) {
    for (let at = starts[note] ?? 0; at < (starts[note + 1] ?? 0); at++) {
      const token = tokens[at] ?? 0;
      const weight = weights[at] ?? 0;
      const earlier = last.get(token) ?? 0;
      for (let place = earlier; place > 0; place = before[place - 1] ?? 0) {
        const cell = note * size + (notes[place - 1] ?? 0);
        likeness[cell] = (likeness[cell] ?? 0) + (weights[place - 1] ?? 0) * weight;
      }
      notes[at] = note;
      before[at] = earlier;
      last.set(token, at + 1);
    }
  }
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < row; column++) likeness[column * size + row] = likeness[row * size + column] ?? 0;
  }
  return likeness;
}
