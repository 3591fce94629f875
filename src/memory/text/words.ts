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
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060]/g;
const PART = /[\p{L}\p{M}\p{N}]+/gu;
const HUMP = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+/gu;

export function* findWords(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD)) {
    const raw = match[0];
    const word = readWord(isPlain(raw) ? raw : raw.normalize("NFKC").replace(INVISIBLE, ""));
    if (word !== undefined) yield { start: match.index, end: match.index + raw.length, ...word };
  }
}

function readWord(normal: string): Omit<Word, "start" | "end"> | undefined {
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

function isPlain(raw: string): boolean {
  for (let index = 0; index < raw.length; index++) if (raw.charCodeAt(index) > 0x7f) return false;
  return true;
}
