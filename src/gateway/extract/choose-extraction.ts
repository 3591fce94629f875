import { countWords, shareIn, stripTags } from "./word-counts.ts";

/** What one extractor took for the main content of a page. */
export interface Extraction {
  /** HTML. */
  content: string;
  /** Share of its text that is inside links, 0 to 1. */
  linkShare: number;
  /** Share of its text that is in paragraphs of some length, 0 to 1. */
  proseShare: number;
}

/** From so much of one in the other, the smaller counts as a part of the larger. */
const PART = 0.9;
/** Up to so many times the size of the other, the larger one has added surroundings; beyond, the other has lost content. */
const SURROUNDINGS = 1.4;
/** A part that leaves out less than this saves nothing worth losing a list or a line for. */
const NEARLY_ALL = 0.95;
/** A part that leaves out more than this has lost content. */
const LARGE_PART = 0.6;
/** In a shorter text every sentence counts, so that nothing is cut from it. */
const LONG_TEXT_WORDS = 500;
/** Text that is mostly links is a menu, if the other found this many words of prose. */
const MENU_SHARE = 0.5;
const PROSE_SHARE = 0.1;
const MIXED_SHARE = 0.3;
const MIN_PROSE_WORDS = 90;
const MIN_MIXED_WORDS = 30;
/** So much more of it inside links makes one the worse. */
const LINK_MARGIN = 0.1;
/** So much more, and what one has more than the other is menus and filters, if the other is no smaller part than this. */
const FILTERS_MARGIN = 0.2;
const FILTERED_PART = 0.3;
/** A menu names no prices, a list of products does; this much of it is in the main area then. */
const MIN_PRICES = 5;
const LISTED = 0.8;
const PRICE = /\p{Sc}\s?\d|\d\s?(?:\p{Sc}|kr\b|zł|Kč|Ft\b|lei\b|руб|USD|EUR|GBP|CHF)|\bRs\.?\s?\d/gu;
/** So much less of it in the main area of the page makes one the worse, however small the other is, down to this part. */
const AREA_MARGIN = 0.1;
const MIN_AREA_WORDS = 50;
const SMALL_PART = 0.1;

/**
 * Chooses between what Readability and Defuddle found. Readability keeps to prose and misses threads, lists and product
 * data; Defuddle keeps more and sometimes picks another element altogether. So: who left the main area of the page has
 * lost; where one is a part of the other, the part is the cleaner cut, unless it lost code or a large share; where they
 * disagree, the larger one; never a menu.
 *
 * @param area HTML of the main area of the page
 */
export function chooseExtraction(
  readability: Extraction | undefined,
  defuddle: Extraction | undefined,
  area: string,
): Extraction | undefined {
  const prose = countWords(readability?.content ?? "");
  const broad = countWords(defuddle?.content ?? "");
  const all = countWords(area);
  if (broad.size === 0) return prose.size === 0 ? undefined : readability;
  if (readability === undefined || defuddle === undefined || prose.size === 0) return defuddle;
  const [proseInside, broadInside] = [shareIn(prose, all), shareIn(broad, all)];
  if (all.size >= MIN_AREA_WORDS) {
    if (proseInside >= broadInside + AREA_MARGIN && prose.size >= SMALL_PART * broad.size) return readability;
    if (broadInside >= proseInside + AREA_MARGIN && broad.size >= LARGE_PART * prose.size) return defuddle;
  }
  if (broad.size > SURROUNDINGS * prose.size) {
    const isList = broadInside >= LISTED && countPrices(defuddle) >= MIN_PRICES;
    return isMenu(defuddle) && !isList && isProse(readability, prose.size) ? readability : defuddle;
  }
  if (broad.size >= prose.size) {
    const isPart = shareIn(prose, broad) >= PART && countCode(readability) >= countCode(defuddle);
    return isPart && readability.linkShare <= defuddle.linkShare + LINK_MARGIN ? readability : defuddle;
  }
  if (isMenu(readability) && defuddle.linkShare < MIXED_SHARE && broad.size >= MIN_MIXED_WORDS) return defuddle;
  const ratio = broad.size / prose.size;
  if (ratio >= FILTERED_PART && readability.linkShare > defuddle.linkShare + FILTERS_MARGIN) return defuddle;
  const isCut =
    ratio >= LARGE_PART && ratio <= NEARLY_ALL && shareIn(broad, prose) >= PART && countCode(defuddle) >= countCode(readability);
  const isCleaner = prose.size >= LONG_TEXT_WORDS || readability.linkShare > defuddle.linkShare + LINK_MARGIN;
  return isCut && isCleaner ? defuddle : readability;
}

function isMenu({ linkShare }: Extraction): boolean {
  return linkShare > MENU_SHARE;
}

function isProse({ linkShare }: Extraction, words: number): boolean {
  return linkShare < PROSE_SHARE && words >= MIN_PROSE_WORDS;
}

/** Blocks of code: whoever has fewer lost some. */
function countCode({ content }: Extraction): number {
  return content.match(/<pre\b/gi)?.length ?? 0;
}

function countPrices({ content }: Extraction): number {
  return stripTags(content).match(PRICE)?.length ?? 0;
}
