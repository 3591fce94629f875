/** Cuts text into words with their places, whatever the script; knows no language. */

export interface Word {
  /** UTF-16 offsets in the text as given. */
  start: number;
  end: number;
  /** Lower case, compatibility-normalised parts: `p-value` has two, `running` one. */
  parts: string[];
  /** The word as one token where it has several parts (`p-value`, `v1.2`, `node.js`), and as `c++`; else undefined. */
  whole: string | undefined;
  /** Parts of an identifier in mixed case: `parseNote` gives `parse`, `note`. */
  humps: string[];
}

/** Joins that keep a word together: `v1.2`, `p-value`, `snake_case`, `a/b`, `user@host`, `l'homme`, `std::map`. */
const JOINER = "['’.\\-‐‑_/@:+#&·]";
const LETTER = "[\\p{L}\\p{M}\\p{N}\\u00ad\\u200b-\\u200d\\u2060]";
const WORD = new RegExp(`${LETTER}+(?:${JOINER}{1,2}${LETTER}+)*(?:\\+\\+|#(?!\\w))?`, "gu");
/** The same for text that is all ASCII, several times as fast. */
const ASCII_WORD = /[A-Za-z0-9]+(?:['.\-_/@:+#&]{1,2}[A-Za-z0-9]+)*(?:\+\+|#(?!\w))?/g;
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060]/g;
const PART = /[\p{L}\p{M}\p{N}]+/gu;
const HUMP = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+/gu;

export function* findWords(text: string): Generator<Word> {
  for (const match of matchWords(text)) {
    const [raw] = match;
    const word = readWord(raw);
    if (word !== undefined) yield { start: match.index, end: match.index + raw.length, ...word };
  }
}

/** The words of a text as they stand there. */
export function matchWords(text: string): RegExpStringIterator<RegExpExecArray> {
  return text.matchAll(isAscii(text) ? ASCII_WORD : WORD);
}

/** The same without their places, several times as fast. */
export function listWords(text: string): string[] {
  return text.match(isAscii(text) ? ASCII_WORD : WORD) ?? [];
}

/** What a word consists of; undefined for marks alone. */
export function readWord(raw: string): Omit<Word, "start" | "end"> | undefined {
  const normal = isAscii(raw) ? raw : raw.normalize("NFKC").replace(INVISIBLE, "");
  const lower = normal.toLowerCase().replace(/['’]s$/u, "");
  const parts = lower.match(PART) ?? [];
  if (parts.length === 0) return undefined;
  const hasTail = /(?:\+\+|#)$/.test(lower);
  const whole = parts.length > 1 || hasTail ? lower.replace(/[‐‑]/gu, "-").replaceAll("'", "’") : undefined;
  return { parts, whole, humps: splitHumps(normal) };
}

function splitHumps(normal: string): string[] {
  if (!/\p{Ll}\p{Lu}/u.test(normal)) return [];
  const humps = normal.match(HUMP) ?? [];
  return humps.length > 1 ? humps.map((hump) => hump.toLowerCase()) : [];
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
