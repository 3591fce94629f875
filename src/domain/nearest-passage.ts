import type { FoldedText } from "./quote-folding.ts";
import { findWords, type Word } from "./words.ts";

/** Least share of the quote's words and word pairs that a passage must hold to be worth showing. */
const WORTH_SHOWING = 0.3;
/** How far a passage is widened to whole sentences, in characters on each side. */
const WIDEN = 160;
const SENTENCE_END = /[.!?。！？]["')\]]*\s/g;

/**
 * The passage that shares most words and word pairs with a quote, widened to whole sentences; code points of the
 * original. A window of the quote's length slides over the text once.
 */
export function findNearest(text: FoldedText, quoteKey: string): { start: number; end: number } | undefined {
  const wanted = countFeatures(findWords(quoteKey));
  const words = findWords(text.key);
  const best = slideWindow(words, wanted);
  const [first, last] = [words[best.from], words[best.to - 1]];
  if (first === undefined || last === undefined || best.score < WORTH_SHOWING * wanted.total) return undefined;
  const { from, to } = widenToSentences(text.key, first.start, last.end);
  return { start: text.start[from] ?? 0, end: text.end[to - 1] ?? 0 };
}

/** A quote's words and word pairs: how often each is there, under a number each. */
interface Features {
  words: number;
  ids: Map<string, number>;
  counts: number[];
  total: number;
}

function countFeatures(words: Word[]): Features {
  const features: Features = { words: words.length, ids: new Map(), counts: [], total: 0 };
  words.forEach((_, index) => {
    for (const feature of featuresAt(words, index)) {
      const id = features.ids.get(feature) ?? features.counts.length;
      features.ids.set(feature, id);
      features.counts[id] = (features.counts[id] ?? 0) + 1;
      features.total += 1;
    }
  });
  return features;
}

function featuresAt(words: Word[], index: number): string[] {
  const [word, next] = [words[index]?.word ?? "", words[index + 1]?.word];
  return next === undefined ? [word] : [word, `${word} ${next}`];
}

/** The window of words in which most features of the quote are found, each counted as often as the quote has it. */
function slideWindow(words: Word[], wanted: Features): { from: number; to: number; score: number } {
  const found = words.map((_, index) =>
    featuresAt(words, index).flatMap((feature) => {
      const id = wanted.ids.get(feature);
      return id === undefined ? [] : [id];
    }),
  );
  const seen = wanted.counts.map(() => 0);
  let score = 0;
  let best = { from: 0, to: 0, score: 0 };
  const move = (index: number, step: 1 | -1): void => {
    for (const id of found[index] ?? []) {
      const before = seen[id] ?? 0;
      seen[id] = before + step;
      if (Math.max(before, before + step) <= (wanted.counts[id] ?? 0)) score += step;
    }
  };
  for (let to = 1; to <= words.length; to += 1) {
    move(to - 1, 1);
    const from = Math.max(0, to - wanted.words);
    if (to > wanted.words) move(from - 1, -1);
    if (score > best.score) best = { from, to, score };
  }
  return best;
}

function widenToSentences(key: string, start: number, end: number): { from: number; to: number } {
  const before = Math.max(0, start - WIDEN);
  const ends = Array.from(key.slice(before, start).matchAll(SENTENCE_END));
  const last = ends.at(-1);
  const after = key.slice(end, end + WIDEN).match(new RegExp(SENTENCE_END, ""));
  return {
    from: last === undefined ? (before === 0 ? 0 : start) : before + last.index + last[0].length,
    to:
      after?.index === undefined ? (end + WIDEN >= key.length ? key.trimEnd().length : end) : end + after.index + after[0].trimEnd().length,
  };
}
