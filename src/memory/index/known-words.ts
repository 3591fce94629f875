/**
 * What each word of a text is and adds to the index, looked up once a word: texts repeat their words, and several look-ups
 * for each of a hundred million words are most of the work. Most words are one token, so that a number is enough for them,
 * beside the others in one piece of memory.
 */
import { analyseWord } from "../text/analyse.ts";
import { sampleWord, type SampledWord } from "../text/detect-language.ts";
import type { Language, LanguageTable } from "../text/languages.ts";

interface WordTokens {
  /** Slots in the vocabulary, in reading order. */
  main: readonly number[];
  /** The same of compounds and parts of identifiers. */
  extra: readonly number[];
}

export interface KnownWords {
  /** The numbers of the words of a text as they stand there; those of an earlier note are forgotten now and then. */
  number: (words: readonly string[]) => number[];
  sample: (word: number) => SampledWord;
  /** Adds the slots of a word's tokens to those of a text. */
  addTokens: (word: number, language: Language, main: number[], extra: number[]) => void;
  /** To be called between notes. */
  settle: () => void;
}

const MOST_WORDS = 200_000;
/** Longer runs are sentences of a script without spaces, which do not come again. */
const LONGEST_KEPT = 40;
/** In place of the slot of a word with no token or with several. */
const NOT_ONE = -1;

/** @param slotOf finds the slot of a token */
export function openKnownWords(languages: LanguageTable, slotOf: (token: string) => number): KnownWords {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const samples: SampledWord[] = [];
  /** In which language a word was taken apart last: notes in one language mostly follow one another. */
  const lastIn: (Language | undefined)[] = [];
  const tokens: WordTokens[] = [];
  let single = new Int32Array(2 ** 12);

  function numberOf(raw: string): number {
    const known = numbers.get(raw);
    if (known !== undefined) return known;
    const number = words.push(raw) - 1;
    samples.push(sampleWord(raw, languages));
    lastIn.push(undefined);
    if (number === single.length) single = enlarge(single);
    if (raw.length <= LONGEST_KEPT) numbers.set(raw, number);
    return number;
  }

  function takeApart(word: number, language: Language): void {
    const { main, extra } = analyseWord(words[word] ?? "", languages.get(language));
    const found = { main: main.map(slotOf), extra: extra.map(slotOf) };
    lastIn[word] = language;
    tokens[word] = found;
    single[word] = found.main.length === 1 && found.extra.length === 0 ? (found.main[0] ?? NOT_ONE) : NOT_ONE;
  }

  return {
    number: (raws) => raws.map(numberOf),
    sample: (word) => samples[word] ?? { words: 0, stopwords: [] },
    addTokens(word, language, main, extra) {
      if (lastIn[word] !== language) takeApart(word, language);
      const slot = single[word] ?? NOT_ONE;
      if (slot !== NOT_ONE) return void main.push(slot);
      // One by one: a page of a script without spaces is a single word of more tokens than a call takes arguments.
      for (const token of tokens[word]?.main ?? []) main.push(token);
      for (const token of tokens[word]?.extra ?? []) extra.push(token);
    },
    settle() {
      if (words.length < MOST_WORDS) return;
      numbers.clear();
      for (const column of [words, samples, lastIn, tokens]) column.length = 0;
    },
  };
}

function enlarge(slots: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(slots.length * 2);
  larger.set(slots);
  return larger;
}
