/**
 * BM25F (Robertson & Zaragoza, "The Probabilistic Relevance Framework", 2009): term frequencies of the fields are
 * weighted and added before they saturate. Pure.
 */
import { TITLE_WEIGHT, weighLength } from "../index/field-weights.ts";
import type { PostingList } from "../index/postings-codec.ts";
import type { Term } from "./plan-query.ts";

const K1 = 2;
const B = 0.5;
export interface Collection {
  notes: number;
  averageLength: number;
  /** In how many notes each term occurs, in the order of the terms. */
  frequencies: number[];
  /** The tokens that are hits of each term, by their numbers. */
  tokens: number[][];
}

/** Lengths in tokens. */
export interface NoteTokens {
  titleLength: number;
  bodyLength: number;
  /** Numbers of those of the title, the body, then compounds and parts of identifiers. */
  tokens: Uint32Array;
}

/** What each term adds to a note's score, in the order of the terms; the score is their sum. */
export function scoreTerms(note: NoteTokens, terms: Term[], collection: Collection, places: ReadonlyMap<number, number[]>): number[] {
  const norm = normOf(weighLength(note.titleLength, note.bodyLength), collection.averageLength);
  return countTerms(note, terms.length, places).map((count, index) =>
    count === 0 ? 0 : weightOf(terms[index], collection, index) * saturate(count, norm),
  );
}

/** Adds what a term adds to the score of each note that holds it. `lengths` are those of all notes, as `weighLength` has them. */
export function scorePostings(
  postings: PostingList,
  weight: number,
  averageLength: number,
  lengths: Uint32Array,
  add: (note: number, score: number) => void,
): void {
  const { notes, counts, length } = postings;
  for (let at = 0; at < length; at++) {
    const note = notes[at] ?? 0;
    add(note, weight * saturate(counts[at] ?? 0, normOf(lengths[note] ?? 0, averageLength)));
  }
}

/** How much a term counts at most, but for how often a note holds it. */
export function weightOf(term: Term | undefined, { notes, frequencies }: Collection, index: number): number {
  return (term?.weight ?? 1) * weighRarity(notes, frequencies[index] ?? 0);
}

/** Inverse document frequency of what occurs in `found` of `notes` notes; never negative. */
export function weighRarity(notes: number, found: number): number {
  return Math.log(1 + Math.max(0, notes - found + 0.5) / (found + 0.5));
}

/** The terms that each token is a hit of, by its number. */
export function placesOf({ tokens }: Pick<Collection, "tokens">): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const [index, numbers] of tokens.entries()) {
    for (const number of numbers) places.set(number, [...(places.get(number) ?? []), index]);
  }
  return places;
}

function normOf(length: number, averageLength: number): number {
  return 1 - B + (B * length) / Math.max(1, averageLength);
}

function saturate(count: number, norm: number): number {
  return (count * (K1 + 1)) / (count + K1 * norm);
}

/** Weighted frequency of each term in a note. */
function countTerms({ tokens, titleLength }: NoteTokens, terms: number, places: ReadonlyMap<number, number[]>): number[] {
  const counts = Array.from({ length: terms }, () => 0);
  for (let at = 0; at < tokens.length; at++) {
    const hits = places.get(tokens[at] ?? 0);
    if (hits === undefined) continue;
    const times = at < titleLength ? TITLE_WEIGHT : 1;
    for (const index of hits) counts[index] = (counts[index] ?? 0) + times;
  }
  return counts;
}
