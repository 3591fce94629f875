/**
 * What each word of a text adds to the index, looked up once a word: texts repeat their words, and to take one apart, find
 * its tokens and then find their slots would be several look-ups for each of a hundred million words.
 */
import { analyseWord } from "../text/analyse.ts";
import type { Language, LanguageTable } from "../text/languages.ts";

export interface WordTokens {
  /** Slots in the vocabulary, in reading order. */
  main: readonly number[];
  /** The same of compounds and parts of identifiers. */
  extra: readonly number[];
}

const MOST_WORDS = 200_000;
/** Longer runs are sentences of a script without spaces, which do not come again. */
const LONGEST_KEPT = 40;

/** Gives the tokens of words; `slotOf` finds the slot of a token. */
export function openWordTokens(
  languages: LanguageTable,
  slotOf: (token: string) => number,
): (language: Language) => (raw: string) => WordTokens {
  const byLanguage = new Map<Language, Map<string, WordTokens>>();
  return (language) => {
    const tools = languages.get(language);
    const known = byLanguage.get(language) ?? new Map<string, WordTokens>();
    byLanguage.set(language, known);
    return (raw) => {
      const kept = known.get(raw);
      if (kept !== undefined) return kept;
      const { main, extra } = analyseWord(raw, tools);
      const tokens = { main: main.map(slotOf), extra: extra.map(slotOf) };
      if (raw.length > LONGEST_KEPT) return tokens;
      if (known.size >= MOST_WORDS) known.clear();
      known.set(raw, tokens);
      return tokens;
    };
  };
}
