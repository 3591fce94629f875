import type { Extraction } from "./choose-extraction.ts";
import { countWords, shareIn, type WordCounts } from "./word-counts.ts";

/** Never in place of so small a part of it: so much more is something else. */
const MAX_GAIN = 4;

/** More words than this are the content of a page of sections, whatever stands beside them. */
const SECTION_WORDS = 1_000;
/** A section is a part of the area of up to two thirds. */
const SECTION_GAIN = 1.5;
/** So much of what was found must be in the area. */
const INSIDE = 0.8;
/** A longer text that is nearly all prose is an article, though the page does not say so. */
const ARTICLE_PROSE = 0.8;
const ARTICLE_WORDS = 300;

/** With less prose than this, what was found is a list, of which the area loses no item. */
const LIST_PROSE = 0.1;
/** Nor is it one where most of it is links: then the area brings menus along. */
const LIST_LINKS = 0.5;
const LIST_INSIDE = 0.75;
const LIST_GAIN = 0.75;

/** The area is the cleaner cut where it is so much of what was found, and so much of what was found is not in it. */
const WITHIN = 0.95;
const SPILLED = 0.85;
const CLEANER_GAIN = 0.6;

/** What has less than this in the area stands beside it. */
const OUTSIDE = 0.1;

/**
 * Takes the main area of a page in place of what was found: what services, shops and lists say is spread over sections
 * and cards, and extractors, made for articles, find one of them, lose some, or bring along what surrounds them. Not for
 * pages with one subject.
 *
 * @param area HTML of the main area
 */
export function preferMainArea(found: Extraction, area: string): string {
  const [part, all] = [countWords(found.content), countWords(area)];
  const fit = { found, part, all, gain: all.size / Math.max(1, part.size), inside: shareIn(part, all) };
  return isSection(fit) || isList(fit) || isSpilled(fit) || isBeside(fit) ? area : found.content;
}

interface Fit {
  found: Extraction;
  part: WordCounts;
  all: WordCounts;
  /** How many times the words of what was found the area has. */
  gain: number;
  /** Share of what was found that is in the area. */
  inside: number;
}

/** One of the sections of a page. */
function isSection({ found, part, gain, inside }: Fit): boolean {
  const isArticle = found.proseShare > ARTICLE_PROSE && part.size >= ARTICLE_WORDS;
  return part.size < SECTION_WORDS && gain >= SECTION_GAIN && gain <= MAX_GAIN && inside >= INSIDE && !isArticle;
}

function isList({ found, gain, inside }: Fit): boolean {
  const isBare = found.proseShare < LIST_PROSE && found.linkShare <= LIST_LINKS;
  return isBare && gain >= LIST_GAIN && gain <= MAX_GAIN && inside >= LIST_INSIDE;
}

/** The area and what surrounds it. */
function isSpilled({ part, all, gain, inside }: Fit): boolean {
  return gain >= CLEANER_GAIN && inside < SPILLED && shareIn(all, part) >= WITHIN;
}

/** Something small outside the area, such as a line of the footer. */
function isBeside({ gain, inside }: Fit): boolean {
  return gain > 1 && inside < OUTSIDE;
}
