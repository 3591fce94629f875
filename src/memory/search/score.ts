/**
 * BM25F (Robertson & Zaragoza, "The Probabilistic Relevance Framework", 2009): term frequencies of the fields are
 * weighted and added before they saturate. Pure.
 */
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
}

export interface NoteTokens {
  title: string[];
  body: string[];
  extra: string[];
}

/** What each term adds to a note's score, in the order of the terms; the score is their sum. */
export function scoreTerms(tokens: NoteTokens, terms: Term[], collection: Collection): number[] {
  const { notes, averageLength, frequencies } = collection;
  const length = TITLE_WEIGHT * tokens.title.length + tokens.body.length;
  const norm = 1 - B + (B * length) / Math.max(1, averageLength);
  return countTerms(tokens, terms).map((count, index) => {
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
function countTerms({ title, body, extra }: NoteTokens, terms: Term[]): number[] {
  const counts = terms.map(() => 0);
  const places = new Map<string, number[]>();
  for (const [index, { tokens }] of terms.entries()) {
    for (const token of tokens) places.set(token, [...(places.get(token) ?? []), index]);
  }
  const prefixes = [...terms.entries()].filter(([, { prefix }]) => prefix !== undefined);
  const count = (tokens: string[], weight: number) => {
    for (const token of tokens) {
      const hits = places.get(token) ?? [];
      for (const index of hits) counts[index] = (counts[index] ?? 0) + weight;
      for (const [index, { prefix }] of prefixes) {
        if (prefix !== undefined && token.startsWith(prefix) && !hits.includes(index)) counts[index] = (counts[index] ?? 0) + weight;
      }
    }
  };
  count(title, TITLE_WEIGHT);
  count(body, 1);
  count(extra, 1);
  return counts;
}
