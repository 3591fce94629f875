import { DEFAULT_LANGUAGE, type Language, type LanguageTable } from "./languages.ts";
import { listWords } from "./words.ts";

const SAMPLE = 400;
/** Other languages must show this many different stop words of theirs, and this many times as many as English. */
const LEAST_WORDS = 4;
const LEAD = 2;
const LEAST_SHARE = 0.15;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

/** What a word as it stands in a text says of its language. */
export interface SampledWord {
  /** How many words it counts as: one at a hyphen is two. */
  words: number;
  /** Those of them that are stop words, and of which languages. */
  stopwords: readonly { word: string; languages: readonly Language[] }[];
}

/** Most words by far: shared, so that they take no room each. */
const PLAIN: SampledWord = { words: 1, stopwords: [] };

export function sampleWord(raw: string, languages: LanguageTable): SampledWord {
  const lower = raw.toLowerCase();
  const words = /^[a-z0-9]+$/.test(lower) ? [lower] : lower.split(BETWEEN_WORDS);
  const languagesOf = stopwordLanguages(languages);
  const stopwords = words.flatMap((word) => {
    const found = languagesOf.get(word);
    return found === undefined ? [] : [{ word, languages: found }];
  });
  return words.length === 1 && stopwords.length === 0 ? PLAIN : { words: words.length, stopwords };
}

/**
 * The language of a text: English unless there is clear evidence for another, by script or by stop words. Short texts
 * and texts full of names and formulas stay English: a wrong guess costs more than a missing one.
 *
 * @param sampled the words of the text, where they are known already
 */
export function detectLanguage(
  text: string,
  languages: LanguageTable,
  sampled: Iterable<SampledWord> = sampleText(text, languages),
): Language {
  const script = languageOfScript(text);
  if (script !== undefined) return script;
  const { words, counts } = countStopwords(sampled);
  const english = counts.get(DEFAULT_LANGUAGE)?.all ?? 0;
  let best: Language = DEFAULT_LANGUAGE;
  let most = 0;
  for (const [code, { different, all }] of counts) {
    if (code === DEFAULT_LANGUAGE || different.size < LEAST_WORDS || all < LEAST_SHARE * words) continue;
    if (all < LEAD * english || all <= most) continue;
    best = code;
    most = all;
  }
  return best;
}

/**
 * The language of a question to notes in the given languages. Questions are too short for clear evidence: two stop words
 * of a language that notes are in, and fewer of English, are enough. Little hangs on it: words are looked for in every
 * language, and only stop words are left out by this one.
 */
export function detectQueryLanguage(text: string, present: readonly Language[], languages: LanguageTable): Language {
  // To know the stop words of every language takes longer than a search for a few words.
  const clear = isShort(text) ? (languageOfScript(text) ?? DEFAULT_LANGUAGE) : detectLanguage(text, languages);
  if (clear !== DEFAULT_LANGUAGE || present.every((code) => code === DEFAULT_LANGUAGE)) return clear;
  const { counts } = countStopwords(sampleText(text, languages));
  let best: Language = DEFAULT_LANGUAGE;
  let most = Math.max(1, counts.get(DEFAULT_LANGUAGE)?.different.size ?? 0);
  for (const code of present) {
    const found = counts.get(code)?.different.size ?? 0;
    if (found > most) [best, most] = [code, found];
  }
  return best;
}

/** Too few words to be clear evidence. */
function isShort(text: string): boolean {
  return listWords(text).flatMap((raw) => raw.split(BETWEEN_WORDS)).length < LEAST_WORDS;
}

function sampleText(text: string, languages: LanguageTable): SampledWord[] {
  return listWords(text).map((raw) => sampleWord(raw, languages));
}

function languageOfScript(text: string): Language | undefined {
  if (!/[\p{Script=Cyrillic}\p{Script=Arabic}]/u.test(text)) return undefined;
  const words = listWords(text)
    .slice(0, SAMPLE)
    .flatMap((raw) => raw.split(BETWEEN_WORDS));
  const share = (script: RegExp) => words.filter((word) => script.test(word)).length / Math.max(1, words.length);
  if (share(/\p{Script=Cyrillic}/u) > 0.5) return "ru";
  if (share(/\p{Script=Arabic}/u) > 0.5) return "ar";
  return undefined;
}

interface Count {
  different: Set<string>;
  all: number;
}

/** How many of the first words are stop words of each language. */
function countStopwords(sampled: Iterable<SampledWord>): { words: number; counts: Map<Language, Count> } {
  const counts = new Map<Language, Count>();
  let words = 0;
  for (const { words: more, stopwords } of sampled) {
    words += more;
    for (const { word, languages } of stopwords) {
      for (const code of languages) {
        let count = counts.get(code);
        if (count === undefined) counts.set(code, (count = { different: new Set(), all: 0 }));
        count.different.add(word);
        count.all++;
      }
    }
    if (words >= SAMPLE) break;
  }
  return { words, counts };
}

const byTable = new WeakMap<LanguageTable, Map<string, Language[]>>();

/** Which languages have a word among their stop words; made once. */
function stopwordLanguages(languages: LanguageTable): Map<string, Language[]> {
  const made = byTable.get(languages) ?? new Map<string, Language[]>();
  if (made.size > 0) return made;
  for (const [code, { stopwords }] of languages) {
    for (const word of stopwords) if (word.length > 1) made.set(word, [...(made.get(word) ?? []), code]);
  }
  byTable.set(languages, made);
  return made;
}
