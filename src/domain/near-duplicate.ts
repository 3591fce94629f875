import { contentWords, sortTaskWords } from "./task-words.ts";
import { findWords } from "./words.ts";

/**
 * From this similarity on, two documents count as the same text. Independent articles on one subject share a few
 * per cent of their three-word sequences; reprints, mirrors and preprint/abstract pairs share most of the shorter one.
 */
export const SAME_DOCUMENT = 0.5;

const SHINGLE_WORDS = 3;
/** A shorter text of fewer sequences may be contained in another by chance, so both are compared as wholes. */
const CONTAINMENT_MIN = 40;

/**
 * How much of two documents is the same text, 0 to 1: the share of the shorter one's three-word sequences that the
 * other holds too (for short texts the Jaccard index, intersection over union). Case, punctuation and line breaks are
 * nothing. Linear in the lengths.
 */
export function textSimilarity(a: string, b: string): number {
  const [one, other] = [shinglesOf(a), shinglesOf(b)];
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  if (small.size === 0) return 0;
  let shared = 0;
  for (const shingle of small) if (large.has(shingle)) shared += 1;
  return shared / (small.size >= CONTAINMENT_MIN ? small.size : small.size + large.size - shared);
}

/** How many different documents these are: the same address or nearly the same text counts once. */
export function countDifferentDocuments(documents: readonly { canonical: string; text: string }[]): number {
  const kept: { canonical: string; text: string }[] = [];
  for (const document of documents) {
    const isCopy = kept.some(
      ({ canonical, text }) => canonical === document.canonical || textSimilarity(text, document.text) >= SAME_DOCUMENT,
    );
    if (!isCopy) kept.push(document);
  }
  return kept.length;
}

/** Sequences of three words; a text of fewer words is one sequence. */
function shinglesOf(text: string): Set<string> {
  const words = findWords(text.normalize("NFKC")).map(({ word }) => word);
  if (words.length === 0) return new Set();
  const count = Math.max(1, words.length - SHINGLE_WORDS + 1);
  return new Set(Array.from({ length: count }, (_, index) => words.slice(index, index + SHINGLE_WORDS).join(" ")));
}

/**
 * From this similarity on, a task is refused as a duplicate. Below it lies everything that a supervisor does when it
 * divides work, where one swapped word ("merge" for "quick", "2023" for "2024", "against" for "for") is the point; above
 * it lie the same subject words with another verb, order or politeness. A missed duplicate costs some spend, a task
 * refused wrongly costs an answer, so doubt counts as different.
 */
export const SAME_TASK = 0.8;

/** What is left of the similarity where one task swaps a subject word, and where a decisive word differs. */
const SWAPPED = 0.7;
const DECISIVE_DIFFERS = 0.5;
/** Words of manner weigh less than those of the subject. */
const MANNER_WEIGHT = 0.15;

/** A task's identity: two tasks with the same fingerprint differ in case, punctuation, spacing and stop words only. */
export function taskFingerprint(text: string): string {
  return contentWords(text).join(" ");
}

/** How far two short task descriptions ask for the same, 0 to 1; compare with `SAME_TASK`. */
export function taskSimilarity(a: string, b: string): number {
  const [one, other] = [taskFingerprint(a), taskFingerprint(b)];
  if (one === "" || other === "") return 0;
  if (one === other) return 1;
  const [first, second] = [sortTaskWords(a), sortTaskWords(b)];
  const subject = compareSets(first.subject, second.subject);
  const manner = compareSets(first.manner, second.manner);
  const all = subject.union + MANNER_WEIGHT * manner.union;
  const overlap = all === 0 ? 1 : (subject.shared + MANNER_WEIGHT * manner.shared) / all;
  const isSwapped = subject.onlyFirst > 0 && subject.onlySecond > 0;
  const decisive = compareSets(first.decisive, second.decisive);
  return overlap * (isSwapped ? SWAPPED : 1) * (decisive.shared < decisive.union ? DECISIVE_DIFFERS : 1);
}

function compareSets(a: Set<string>, b: Set<string>): { shared: number; union: number; onlyFirst: number; onlySecond: number } {
  const shared = Array.from(a).filter((word) => b.has(word)).length;
  return { shared, union: a.size + b.size - shared, onlyFirst: a.size - shared, onlySecond: b.size - shared };
}
