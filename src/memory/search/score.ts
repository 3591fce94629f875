/**
 * BM25F (Robertson & Zaragoza, "The Probabilistic Relevance Framework", 2009): term frequencies of the fields are
 * weighted and added before they saturate. Pure.
 */
import { BODY, EXTRA, NUMBER, TITLE, WIDTH } from "../index/token-vector.ts";
import type { Term } from "./plan-query.ts";

const K1 = 2;
const B = 0.5;
/** How much more a word in the title counts than one in the text. */
export const TITLE_WEIGHT = 2;

export interface Collection {
  notes: number;
  averageLength: number;
  /** In how many notes each term occurs, in the order of the terms. */
  frequencies: number[];
  /** The terms that each token is a hit of, by its number. */
  places: ReadonlyMap<number, number[]>;
}

/** Lengths in tokens. */
export interface NoteTokens {
  titleLength: number;
  bodyLength: number;
  /** As `unpackTokens` gives them. */
  tokens: Uint32Array;
}

/** What each term adds to a note's score, in the order of the terms; the score is their sum. */
export function scoreTerms(note: NoteTokens, terms: Term[], collection: Collection): number[] {
  const { notes, averageLength, frequencies } = collection;
  const length = TITLE_WEIGHT * note.titleLength + note.bodyLength;
  const norm = 1 - B + (B * length) / Math.max(1, averageLength);
  return countTerms(note.tokens, terms.length, collection.places).map((count, index) => {
    if (count === 0) return 0;
    const rarity = weighRarity(notes, frequencies[index] ?? 0);
    return (terms[index]?.weight ?? 1) * rarity * ((count * (K1 + 1)) / (count + K1 * norm));
  });
}

/** Inverse document frequency of what occurs in `found` of `notes` notes; never negative. */
export function weighRarity(notes: number, found: number): number {
  return Math.log(1 + Math.max(0, notes - found + 0.5) / (found + 0.5));
}

/** Weighted frequency of each term in a note. */
function countTerms(tokens: Uint32Array, terms: number, places: Collection["places"]): number[] {
  const counts = Array.from({ length: terms }, () => 0);
  for (let at = 0; at < tokens.length; at += WIDTH) {
    const hits = places.get(tokens[at + NUMBER] ?? 0);
    if (hits === undefined) continue;
    const count = TITLE_WEIGHT * (tokens[at + TITLE] ?? 0) + (tokens[at + BODY] ?? 0) + (tokens[at + EXTRA] ?? 0);
    for (const index of hits) counts[index] = (counts[index] ?? 0) + count;
  }
  return counts;
}
