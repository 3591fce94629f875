import { DEFAULT_LANGUAGE, type Language, type LanguageTable } from "./languages.ts";
import { findWords } from "./words.ts";

const SAMPLE = 400;
/** Other languages must show this many different stop words of theirs, and this many times as many as English. */
const LEAST_WORDS = 4;
const LEAD = 2;
const LEAST_SHARE = 0.15;

/**
 * The language of a text: English unless there is clear evidence for another, by script or by stop words. Short texts
 * and texts full of names and formulas stay English: a wrong guess costs more than a missing one.
 */
export function detectLanguage(text: string, languages: LanguageTable): Language {
  const words = sampleWords(text);
  const script = languageOfScript(words);
  if (script !== undefined) return script;
  const ownWords = new Map([...languages].map(([code, { stopwords }]) => [code, countStopwords(words, stopwords)] as const));
  const english = ownWords.get(DEFAULT_LANGUAGE) ?? { different: 0, all: 0 };
  let best: Language = DEFAULT_LANGUAGE;
  let most = 0;
  for (const [code, { different, all }] of ownWords) {
    if (code === DEFAULT_LANGUAGE || different < LEAST_WORDS || all < LEAST_SHARE * words.length) continue;
    if (all < LEAD * english.all || all <= most) continue;
    best = code;
    most = all;
  }
  return best;
}

function sampleWords(text: string): string[] {
  const words: string[] = [];
  for (const { parts } of findWords(text)) {
    words.push(...parts);
    if (words.length >= SAMPLE) break;
  }
  return words;
}

function languageOfScript(words: string[]): Language | undefined {
  const share = (script: RegExp) => words.filter((word) => script.test(word)).length / Math.max(1, words.length);
  if (share(/\p{Script=Cyrillic}/u) > 0.5) return "ru";
  if (share(/\p{Script=Arabic}/u) > 0.5) return "ar";
  return undefined;
}

function countStopwords(words: string[], stopwords: ReadonlySet<string>): { different: number; all: number } {
  const own = words.filter((word) => word.length > 1 && stopwords.has(word));
  return { different: new Set(own).size, all: own.length };
}
