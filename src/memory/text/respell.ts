/** The other spelling of a word in languages that write some letters in two where a keyboard lacks them. */

/** Two letters stand for one only where no vowel and no `q` comes before them: in `Mueller`, not in `neue` or `Quelle`. */
const BEFORE = "(?<![aeiouyäöüåøq])";

/**
 * The word with each letter in two (`mueller` for `müller`) or, where it has no such letter, with each two in one; none
 * where it has neither. `digraphs` holds the two by the letter; the word is in lower case.
 */
export function respellWord(word: string, digraphs: ReadonlyMap<string, string>): string[] {
  if (digraphs.size === 0) return [];
  const pairs = [...digraphs];
  const inTwo = pairs.reduce((spelling, [letter, two]) => spelling.replaceAll(letter, two), word);
  const inOne = pairs.reduce((spelling, [letter, two]) => spelling.replaceAll(new RegExp(BEFORE + two, "gu"), letter), word);
  const other = inTwo === word ? inOne : inTwo;
  return other === word ? [] : [other];
}
