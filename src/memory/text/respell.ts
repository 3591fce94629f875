/** Other spellings of one word in languages whose letters are written in two where a keyboard lacks them. */

/** A digraph is one only where no vowel or `q` comes before it: `Mueller`, and not `neue` or `Quelle`. */
const BEFORE = "(?<![aeiouyäöüåø]|q)";

/** The word with each letter of the pairs as its digraph, or each digraph as its letter; none where it has neither. */
export function respellWord(word: string, digraphs: ReadonlyMap<string, string>): string[] {
  const letters = [...digraphs];
  const longer = letters.reduce((spelling, [letter, digraph]) => spelling.replaceAll(letter, digraph), word);
  if (longer !== word) return [longer];
  const shorter = letters.reduce((spelling, [letter, digraph]) => spelling.replaceAll(new RegExp(BEFORE + digraph, "gu"), letter), word);
  return shorter === word ? [] : [shorter];
}
