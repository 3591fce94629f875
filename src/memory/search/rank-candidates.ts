/** The second stage of search: BM25F over the candidates, then smoothing. Pure. */
import type { Candidate } from "./find-candidates.ts";
import type { Term } from "./plan-query.ts";
import { scoreTerms, type Collection } from "./score.ts";
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
  const scored = candidates
    .map((candidate) => {
      const parts = scoreTerms(candidate, terms, collection);
      return { id: candidate.id, note: candidate.note, tokens: candidate.tokens, parts, score: parts.reduce((sum, part) => sum + part, 0) };
    })
    .sort(compareScores);
  const smoothed = smoothScores(scored, rarityOf);
  return scored
    .map((each, index) => ({ id: each.id, each, score: smoothed[index] ?? each.score }))
    .sort(compareScores)
    .slice(0, limit)
    .map(({ each, score }) => ({
      note: each.note,
      score,
      explanation: { terms: explainTerms(terms, each.parts), neighbours: score - each.score },
    }));
}

function explainTerms(terms: Term[], parts: number[]): Explanation["terms"] {
  const scores = terms.map(({ word, tokens }, index) => ({ word, tokens, score: parts[index] ?? 0 }));
  return scores.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
}

function compareScores(a: { id: string; score: number }, b: { id: string; score: number }): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
