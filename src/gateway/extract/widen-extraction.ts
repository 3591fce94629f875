import type { Extraction } from "./choose-extraction.ts";
import { countWords, shareIn } from "./word-counts.ts";

/** More words than this are the content of a page, whatever stands beside them. */
const MAX_WORDS = 1_000;
/** The main area is taken in place of a part of it that is between a fourth and two thirds. */
const MIN_GAIN = 1.5;
const MAX_GAIN = 4;
/** So much of what was found must be in the area. */
const INSIDE = 0.8;
/** A longer text that is nearly all prose is an article, though the page does not say so. */
const PROSE_SHARE = 0.8;
const PROSE_WORDS = 300;

/**
 * Takes the main area of a page in place of one part of it: what services, shops and lists say is spread over sections
 * and cards, and extractors, made for articles, find one of them. Not for pages with one subject.
 *
 * @param area HTML of the main area
 */
export function widenExtraction(found: Extraction, area: string): string {
  const [part, all] = [countWords(found.content), countWords(area)];
  const isArticle = found.proseShare > PROSE_SHARE && part.size >= PROSE_WORDS;
  const gain = all.size / Math.max(1, part.size);
  const isSection = part.size < MAX_WORDS && gain >= MIN_GAIN && gain <= MAX_GAIN && shareIn(part, all) >= INSIDE;
  return isSection && !isArticle ? area : found.content;
}
