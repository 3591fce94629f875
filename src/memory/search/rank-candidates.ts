/** The second stage of search: BM25F over the candidates, then smoothing. Pure. */
import type { Candidate } from "./read-candidate.ts";
import type { Term } from "./plan-query.ts";
import { placesOf, scoreTerms, type Collection } from "./score.ts";
import { smoothScores } from "./smooth.ts";

/** How a note came to its score. */
export interface Explanation {
  /** What each word of the query added; those that added nothing are left out. */
  terms: { word: string; tokens: string[]; score: number }[];
  /** What the notes that resemble it added or took. */
  neighbours: number;
}

export interface RankedCandidate {
  note: number;
  score: number;
  explanation: Explanation;
}

/** The best candidates, best first; equal ones by id. `rarityOf` weighs tokens by their number. */
export function rankCandidates(
  candidates: Candidate[],
  terms: Term[],
  collection: Collection,
  { limit, rarityOf }: { limit: number; rarityOf: (token: number) => number },
): RankedCandidate[] {
  const places = placesOf(collection);
  const scored = candidates
    .map((candidate) => {
      const { id, note, titleLength, bodyLength } = candidate;
      const parts = scoreTerms(candidate, terms, collection, places);
      // Compounds do not count beside their parts in what notes have in common.
      const tokens = candidate.tokens.subarray(0, titleLength + bodyLength);
      return { id, note, tokens, parts, score: withoutNoise(parts.reduce((sum, part) => sum + part, 0)) };
    })
    .sort(compareScores);
  const smoothed = smoothScores(scored, rarityOf);
  return scored
    .map((each, index) => ({ id: each.id, each, score: withoutNoise(smoothed[index] ?? each.score) }))
    .sort(compareScores)
    .slice(0, limit)
    .map(({ each, score }) => ({
      note: each.note,
      score,
      explanation: { terms: explainTerms(terms, each.parts), neighbours: score - each.score },
    }));
}

/** Copies of one text must come out equal, and sums of the same numbers differ in their last digits. */
function withoutNoise(score: number): number {
  return Number(score.toPrecision(12));
}

function explainTerms(terms: Term[], parts: number[]): Explanation["terms"] {
  const scores = terms.map(({ word, tokens }, index) => ({ word, tokens, score: parts[index] ?? 0 }));
  return scores.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
}

function compareScores(a: { id: string; score: number }, b: { id: string; score: number }): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
