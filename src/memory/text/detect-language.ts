import { DEFAULT_LANGUAGE, type Language, type LanguageTable } from "./languages.ts";
import { listWords } from "./words.ts";

const SAMPLE = 400;
/** Other languages must show this many different stop words of theirs, and this many times as many as English. */
const LEAST_WORDS = 4;
const LEAD = 2;
const LEAST_SHARE = 0.15;

/**
 * The language of a text: English unless there is clear evidence for another, by script or by stop words. Short texts
 * and texts full of names and formulas stay English: a wrong guess costs more than a missing one.
 *
 * @param listed the words of the text, where they are known already
 */
export function detectLanguage(text: string, languages: LanguageTable, listed = listWords(text)): Language {
  const words = sampleWords(listed);
  const script = languageOfScript(text, words);
  if (script !== undefined) return script;
  // To know the stop words of every language takes longer than a search for a few words.
  if (words.length < LEAST_WORDS) return DEFAULT_LANGUAGE;
  const counts = countStopwords(words, languages);
  const english = counts.get(DEFAULT_LANGUAGE)?.all ?? 0;
  let best: Language = DEFAULT_LANGUAGE;
  let most = 0;
  for (const [code, { different, all }] of counts) {
    if (code === DEFAULT_LANGUAGE || different.size < LEAST_WORDS || all < LEAST_SHARE * words.length) continue;
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
  const clear = detectLanguage(text, languages);
  if (clear !== DEFAULT_LANGUAGE || present.every((code) => code === DEFAULT_LANGUAGE)) return clear;
  const counts = countStopwords(sampleWords(listWords(text)), languages);
  let best: Language = DEFAULT_LANGUAGE;
  let most = Math.max(1, counts.get(DEFAULT_LANGUAGE)?.different.size ?? 0);
  for (const code of present) {
    const found = counts.get(code)?.different.size ?? 0;
    if (found > most) [best, most] = [code, found];
  }
  return best;
}

function sampleWords(listed: string[]): string[] {
  const words: string[] = [];
  for (const word of listed) {
    const lower = word.toLowerCase();
    if (/^[a-z0-9]+$/.test(lower)) words.push(lower);
    else words.push(...lower.split(/[^\p{L}\p{M}\p{N}]+/u));
    if (words.length >= SAMPLE) break;
  }
  return words;
}

function languageOfScript(text: string, words: string[]): Language | undefined {
  if (!/[\p{Script=Cyrillic}\p{Script=Arabic}]/u.test(text)) return undefined;
  const share = (script: RegExp) => words.filter((word) => script.test(word)).length / Math.max(1, words.length);
  if (share(/\p{Script=Cyrillic}/u) > 0.5) return "ru";
  if (share(/\p{Script=Arabic}/u) > 0.5) return "ar";
  return undefined;
}

interface Count {
  different: Set<string>;
  all: number;
}

/** How many stop words of each language the words are. */
function countStopwords(words: string[], languages: LanguageTable): Map<Language, Count> {
  const languagesOf = stopwordLanguages(languages);
  const counts = new Map<Language, Count>();
  for (const word of words) {
    const codes = languagesOf.get(word);
    if (codes === undefined) continue;
    for (const code of codes) {
      const count = counts.get(code) ?? { different: new Set(), all: 0 };
      count.different.add(word);
      count.all++;
      counts.set(code, count);
    }
  }
  return counts;
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
