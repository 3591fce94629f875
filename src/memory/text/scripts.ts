/** Scripts that write words without spaces, and folding of letters that differ by marks alone. */

const CHARACTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆]+/u;
const SYLLABLES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/u;
const UNSPACED = new RegExp(`(${CHARACTERS.source}|${SYLLABLES.source})`, "u");
const MARKED_SCRIPTS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]/u;

export function hasUnspacedScript(part: string): boolean {
  return UNSPACED.test(part);
}

/** Cuts a part where the script changes: `GPU加速` gives `GPU` and `加速`. */
export function splitByScript(part: string): string[] {
  return part.split(UNSPACED).filter((piece) => piece !== "");
}

/**
 * The tokens of a run without spaces: Chinese, Japanese and Korean characters with their pairs (in reading order, so
 * that a phrase is a run of tokens), Thai and its kin in threes. Undefined for other scripts.
 */
export function tokensOfRun(piece: string): string[] | undefined {
  if (CHARACTERS.test(piece)) return charactersAndPairs(Array.from(piece));
  if (SYLLABLES.test(piece)) return inThrees(Array.from(piece));
  return undefined;
}

/** Without diacritics where they are optional for a reader: Latin, Greek, Arabic and Hebrew; `ё` becomes `е`. */
export function foldMarks(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word;
  const folded = MARKED_SCRIPTS.test(word) ? word.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC") : word;
  return folded.replace(/[ßøłđæœıςё]/gu, (letter) => LETTERS[letter] ?? letter);
}

const LETTERS: Record<string, string> = { ß: "ss", ø: "o", ł: "l", đ: "d", æ: "ae", œ: "oe", ı: "i", ς: "σ", ё: "е" };

function charactersAndPairs(characters: string[]): string[] {
  return characters.flatMap((character, index) => {
    const next = characters[index + 1];
    return next === undefined ? [character] : [character, character + next];
  });
}

function inThrees(characters: string[]): string[] {
  if (characters.length <= 3) return [characters.join("")];
  return characters.slice(0, -2).map((_, index) => characters.slice(index, index + 3).join(""));
}
