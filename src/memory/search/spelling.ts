/** Corrects words that no note holds to the one that is an edit away and that most notes hold. Pure but for `countOf`. */
import type { Term } from "./plan-query.ts";

const SHORTEST = 4;
const LONGEST = 24;
/** Letters at the end of a word among which its ending is. */
const ENDING = 6;
/** Letters as they stand in tokens, whose optional marks are folded away. */
const ALPHABETS = [
  "abcdefghijklmnopqrstuvwxyz",
  "абвгдежзийклмнопрстуфхцчшщъыьэюя",
  "αβγδεζηθικλμνξοπρστυφχψω",
  "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
].map((letters) => Array.from(letters));

/** A word without hits and the token that was searched for in its place. */
export interface Correction {
  word: string;
  token: string;
}

/**
 * The terms with corrections in place of words without hits. Numbers and identifiers are never corrected, an edit makes
 * another thing of them, nor stop words. `countOf` tells how many notes hold a token. The end of the word is corrected as well as its
 * stem: a typo may keep a stemmer from seeing the ending.
 */
export function correctTerms(
  terms: Term[],
  frequencies: number[],
  countOf: (token: string) => number,
  stemsOf: (word: string) => string[],
): { terms: Term[]; corrections: Correction[] } {
  const corrections: Correction[] = [];
  const corrected = terms.map((term, index) => {
    if ((frequencies[index] ?? 0) > 0 || term.prefix !== undefined || term.isKnownWord) return term;
    const token = commonest(
      [...new Set([...term.tokens.flatMap(spellingsOf), ...spellingsOf(term.word, ENDING).flatMap(stemsOf)])],
      countOf,
    );
    if (token === undefined) return term;
    corrections.push({ word: term.word, token });
    return { ...term, tokens: [token] };
  });
  return { terms: corrected, corrections };
}

function commonest(tokens: string[], countOf: (token: string) => number): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const token of tokens) {
    const count = countOf(token);
    if (count > most) [best, most] = [token, count];
  }
  return best;
}

/** All that is one letter missing, too many, wrong or swapped with its neighbour away from a token, among its last letters. */
function spellingsOf(token: string, among = LONGEST): string[] {
  const letters = Array.from(token);
  const alphabet = ALPHABETS.find((known) => letters.every((letter) => known.includes(letter)));
  if (alphabet === undefined || letters.length < SHORTEST || letters.length > LONGEST) return [];
  const ends = [...letters.keys(), letters.length].slice(-among - 1);
  const places = ends.map((at) => ({ before: token.slice(0, at), after: token.slice(at) }));
  return places.flatMap(({ before, after }) => {
    const inserted = alphabet.map((letter) => before + letter + after);
    if (after === "") return inserted;
    const replaced = alphabet.map((letter) => before + letter + after.slice(1));
    const swapped = before + after.charAt(1) + after.charAt(0) + after.slice(2);
    return inserted.concat(replaced, before + after.slice(1), after.length > 1 ? swapped : []);
  });
}
