/** From what a person typed to tokens of the index. Pure. */
import { extraTokens, foldWord, tokensOfPart } from "../text/analyse.ts";
import { detectQueryLanguage } from "../text/detect-language.ts";
import type { Language, LanguageTable, LanguageTools } from "../text/languages.ts";
import { dropQuestionWords } from "../text/question-words.ts";
import { respellWord } from "../text/respell.ts";
import { hasUnspacedScript } from "../text/scripts.ts";
import { findWords } from "../text/words.ts";
import type { ParsedQuery } from "./parse-query.ts";

/** One thing a query asks for; any of the tokens, or a token with the prefix, is a hit. */
export interface Term {
  /** As the person wrote it, in lower case. */
  word: string;
  tokens: string[];
  prefix: string | undefined;
  /** A stop word of a language that notes are in, or a compound of their words: that no note holds it does not make it misspelt. */
  isKnownWord: boolean;
  /** More for a word that the query repeats, less for a compound, whose parts count on their own. */
  weight: number;
}

/** The same phrase as tokens of each language that the index holds, in either spelling. */
export type Phrase = string[][];

export interface QueryPlan {
  terms: Term[];
  required: Phrase[];
  excluded: Phrase[];
  excludedPrefixes: string[];
}

const MOST_TERMS = 256;
/** `v1.2` also counts as `v1` and `2`; the whole adds this much of a term. */
const WHOLE_WEIGHT = 0.25;
/** A Chinese, Japanese or Korean character also counts in its pairs. */
const CHARACTER_WEIGHT = 0.5;

export function planQuery(query: ParsedQuery, present: Language[], languages: LanguageTable): QueryPlan {
  const text = [...query.words, ...query.phrases].join(" ");
  const own = detectQueryLanguage(text, present, languages);
  const tools = [...new Set([own, ...present])].flatMap((code) => languages.get(code) ?? []);
  const plan = (phrase: string) => planPhrase(phrase, tools);
  return {
    terms: [...planWords(dropQuestionWords(text), tools), ...planPrefixes(query.prefixes, tools)].slice(0, MOST_TERMS),
    required: query.phrases.map(plan).filter((phrase) => phrase.length > 0),
    excluded: query.excludedPhrases.map(plan).filter((phrase) => phrase.length > 0),
    excludedPrefixes: query.excludedPrefixes.map(foldWord).filter((prefix) => prefix !== ""),
  };
}

/** `tools` begins with those of the query's own language, whose stop words are left out. */
function planWords(text: string, tools: LanguageTools[]): Term[] {
  const counts = new Map<string, { word: string; tokens: string[]; isKnownWord: boolean; count: number; share: number }>();
  const add = (word: string, tokens: string[], share: number) => {
    const key = tokens.join(" ");
    const isKnownWord = tools.some(({ stopwords }) => stopwords.has(word));
    const entry = counts.get(key) ?? { word, tokens, isKnownWord, count: 0, share };
    entry.count++;
    counts.set(key, { ...entry, share: Math.max(share, entry.share) });
  };
  for (const word of findWords(text)) {
    for (const part of word.parts) {
      const terms = alternativesOf(part, tools);
      if (terms.length === 1) for (const tokens of terms) add(part, tokens, 1);
      else for (const [token = ""] of terms) add(token, [token], isOneCharacter(token) ? CHARACTER_WEIGHT : 1);
    }
    for (const token of extraTokens(word)) add(token, [token], WHOLE_WEIGHT);
  }
  return [...counts.values()].map(({ word, tokens, isKnownWord, count, share }) => ({
    word,
    tokens,
    isKnownWord,
    prefix: undefined,
    weight: share * (1 + Math.log(count)),
  }));
}

function isOneCharacter(token: string): boolean {
  return /^.$/u.test(token) && hasUnspacedScript(token);
}

/** The terms of one word: a stem for each language and spelling that is one alternative, or the pieces of a run without spaces. */
function alternativesOf(part: string, tools: LanguageTools[]): string[][] {
  const [own = [], ...same] = tools.map((language) => tokensOfPart(part, language));
  if (own.length !== 1) return own.map((token) => [token]);
  const respelled = tools.flatMap((language) => respellWord(part, language.digraphs).map((word) => tokensOfPart(word, language)));
  const others = [...same, ...respelled];
  return [[...new Set([...own, ...others.flatMap((tokens) => (tokens.length === 1 ? tokens : []))])]];
}

function planPrefixes(prefixes: string[], tools: LanguageTools[]): Term[] {
  return prefixes.flatMap((word) => {
    const prefix = foldWord(word.normalize("NFKC").toLowerCase());
    const tokens = [...new Set(tools.flatMap((language) => tokensOfPart(word.toLowerCase(), language)))];
    return prefix === "" ? [] : [{ word: `${word}*`, tokens, prefix, isKnownWord: false, weight: 1 }];
  });
}

function planPhrase(phrase: string, tools: LanguageTools[]): Phrase {
  const parts = Array.from(findWords(phrase), (word) => word.parts).flat();
  const variants = tools.flatMap((language) => {
    const respelled = parts.map((part) => respellWord(part, language.digraphs)[0] ?? part);
    return [parts, respelled].map((spelling) => spelling.flatMap((part) => tokensOfPart(part, language)));
  });
  return [...new Map(variants.filter((tokens) => tokens.length > 0).map((tokens) => [tokens.join(" "), tokens])).values()];
}
