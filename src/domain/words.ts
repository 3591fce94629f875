const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const WORDS = new RegExp(String.raw`[${UNSPACED}]|[[\p{L}\p{N}\p{M}]--[${UNSPACED}]]+`, "gv");

export interface Word {
  /** Lower case. */
  word: string;
  /** UTF-16 index where it starts and where it ends. */
  start: number;
  end: number;
}

/** The words of a text in order; in scripts without spaces every character is one. */
export function findWords(text: string): Word[] {
  return Array.from(text.matchAll(WORDS), ({ 0: word, index }) => ({ word: word.toLowerCase(), start: index, end: index + word.length }));
}
