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
/** A part of fewer words is a remnant, not a cleaner cut. */
const MIN_PART_WORDS = 30;
/** Text that is mostly links is a menu, if the other found this many words of prose. */
const MENU_SHARE = 0.5;
const PROSE_SHARE = 0.1;
const MIN_PROSE_WORDS = 90;
/** So much more of it inside links makes the smaller one the worse. */
const LINK_MARGIN = 0.1;
/** A cut that leaves over 60 % may leave out a little more than a part would. */
const CLOSE = 0.6;
const CLOSE_PART = 0.85;
/** A part that leaves out less than this saves nothing worth losing a list or a line for. */
const NEARLY_ALL = 0.95;

/**
 * Chooses between what Readability and Defuddle found. Readability keeps to prose and misses threads, lists and product
 * data; Defuddle keeps more and sometimes picks another element altogether. So: where one is a part of the other, the
 * part is the cleaner cut, unless it lost code or a large share; where they disagree, the larger one.
 */
export function chooseExtraction(readability: Extraction | undefined, defuddle: Extraction | undefined): Extraction | undefined {
  const [prose, broad] = [countWords(readability), countWords(defuddle)];
  if (broad.size === 0) return prose.size === 0 ? undefined : readability;
  if (readability === undefined || defuddle === undefined || prose.size === 0) return defuddle;
  const shared = countShared(prose.words, broad.words);
  const ratio = broad.size / prose.size;
  if (ratio > SURROUNDINGS) {
    const isMenu = defuddle.linkShare > MENU_SHARE && readability.linkShare < PROSE_SHARE && prose.size >= MIN_PROSE_WORDS;
    return isMenu ? readability : defuddle;
  }
  if (ratio >= 1) {
    const isPart = shared / prose.size >= PART && countCode(readability) >= countCode(defuddle) && readability.linkShare <= defuddle.linkShare + LINK_MARGIN;
    return isPart ? readability : defuddle;
  }
  if (ratio > NEARLY_ALL) return readability;
  if (countCode(readability) > countCode(defuddle)) return readability;
  const part = shared / broad.size;
  return (part >= PART && broad.size >= MIN_PART_WORDS) || (part >= CLOSE_PART && ratio > CLOSE) ? defuddle : readability;
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
