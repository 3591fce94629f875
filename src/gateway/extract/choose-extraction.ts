/** What one extractor took for the main content of a page. */
export interface Extraction {
  /** HTML. */
  content: string;
  /** Share of its text that is inside links, 0 to 1. */
  linkShare: number;
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

/**
 * Chooses between what Readability and Defuddle found. Readability keeps to prose and misses threads, lists and product
 * data; Defuddle keeps more and sometimes picks another element altogether. So: where one is a part of the other, the
 * part is the cleaner cut, unless it lost code or a large share; where they disagree, the larger one; never a menu.
 */
export function chooseExtraction(readability: Extraction | undefined, defuddle: Extraction | undefined): Extraction | undefined {
  const [prose, broad] = [countWords(readability), countWords(defuddle)];
  if (broad.size === 0) return prose.size === 0 ? undefined : readability;
  if (readability === undefined || defuddle === undefined || prose.size === 0) return defuddle;
  const shared = countShared(prose.words, broad.words);
  if (broad.size > SURROUNDINGS * prose.size) return isMenu(defuddle) && isProse(readability, prose.size) ? readability : defuddle;
  if (broad.size >= prose.size) {
    const isPart = shared / prose.size >= PART && countCode(readability) >= countCode(defuddle);
    return isPart && readability.linkShare <= defuddle.linkShare + LINK_MARGIN ? readability : defuddle;
  }
  if (isMenu(readability) && defuddle.linkShare < MIXED_SHARE && broad.size >= MIN_MIXED_WORDS) return defuddle;
  const ratio = broad.size / prose.size;
  const isCut = ratio >= LARGE_PART && ratio <= NEARLY_ALL && shared / broad.size >= PART && countCode(defuddle) >= countCode(readability);
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

interface WordCounts {
  words: Map<string, number>;
  size: number;
}

function countWords(extraction: Extraction | undefined): WordCounts {
  const text = (extraction?.content ?? "").replace(/<[^>]*>|&#?\w+;/g, " ").toLowerCase();
  const words = new Map<string, number>();
  let size = 0;
  for (const [word] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    words.set(word, (words.get(word) ?? 0) + 1);
    size += 1;
  }
  return { words, size };
}

function countShared(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [word, count] of one) shared += Math.min(count, other.get(word) ?? 0);
  return shared;
}
