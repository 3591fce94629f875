/** From what a person typed to tokens of the index. Pure. */
import { extraTokens, foldWord, tokensOfPart } from "../text/analyse.ts";
import { detectQueryLanguage } from "../text/detect-language.ts";
import type { Language, LanguageTable, LanguageTools } from "../text/languages.ts";
import { findWords } from "../text/words.ts";
import type { ParsedQuery } from "./parse-query.ts";

/** One thing a query asks for; any of the tokens, or a token with the prefix, is a hit. */
export interface Term {
  /** As the person wrote it, in lower case. */
  word: string;
  tokens: string[];
  prefix: string | undefined;
  /** A stop word of a language that notes are in: that no note holds it does not make it misspelt. */
  isStopword: boolean;
  /** More for a word that the query repeats, less for a compound, whose parts count on their own. */
  weight: number;
}

/** The same phrase as tokens of each language that the index holds. */
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

export function planQuery(query: ParsedQuery, present: Language[], languages: LanguageTable): QueryPlan {
  const text = [...query.words, ...query.phrases].join(" ");
  const own = detectQueryLanguage(text, present, languages);
  const tools = [...new Set([own, ...present])].flatMap((code) => languages.get(code) ?? []);
  const plan = (phrase: string) => planPhrase(phrase, tools);
  return {
    terms: [...planWords(text, tools), ...planPrefixes(query.prefixes, tools)].slice(0, MOST_TERMS),
    required: query.phrases.map(plan).filter((phrase) => phrase.length > 0),
    excluded: query.excludedPhrases.map(plan).filter((phrase) => phrase.length > 0),
    excludedPrefixes: query.excludedPrefixes.map(foldWord).filter((prefix) => prefix !== ""),
  };
}

/** `tools` begins with those of the query's own language, whose stop words are left out. */
function planWords(text: string, tools: LanguageTools[]): Term[] {
  const counts = new Map<string, { word: string; tokens: string[]; isStopword: boolean; count: number; share: number }>();
  const add = (word: string, tokens: string[], share: number) => {
    const key = tokens.join(" ");
    const isStopword = tools.some(({ stopwords }) => stopwords.has(word));
    const entry = counts.get(key) ?? { word, tokens, isStopword, count: 0, share };
    entry.count++;
    counts.set(key, { ...entry, share: Math.max(share, entry.share) });
  };
  for (const word of findWords(text)) {
    for (const part of word.parts) {
      const terms = alternativesOf(part, tools);
      for (const tokens of terms) add(terms.length === 1 ? part : (tokens[0] ?? part), tokens, 1);
    }
    for (const token of extraTokens(word)) add(token, [token], WHOLE_WEIGHT);
  }
  return [...counts.values()].map(({ word, tokens, isStopword, count, share }) => ({
    word,
    tokens,
    isStopword,
    prefix: undefined,
    weight: share * (1 + Math.log(count)),
  }));
}

/** The terms of one word: a stem for each language that is one alternative, or the pieces of a run without spaces. */
function alternativesOf(part: string, tools: LanguageTools[]): string[][] {
  const [own = [], ...others] = tools.map((language) => tokensOfPart(part, language));
  if (own.length !== 1) return own.map((token) => [token]);
  return [[...new Set([...own, ...others.flatMap((tokens) => (tokens.length === 1 ? tokens : []))])]];
}

function planPrefixes(prefixes: string[], tools: LanguageTools[]): Term[] {
  return prefixes.flatMap((word) => {
    const prefix = foldWord(word.normalize("NFKC").toLowerCase());
    const tokens = [...new Set(tools.flatMap((language) => tokensOfPart(word.toLowerCase(), language)))];
    return prefix === "" ? [] : [{ word: `${word}*`, tokens, prefix, isStopword: false, weight: 1 }];
  });
}

function planPhrase(phrase: string, tools: LanguageTools[]): Phrase {
  const parts = Array.from(findWords(phrase), (word) => word.parts).flat();
  const variants = tools.map((language) => parts.flatMap((part) => tokensOfPart(part, language)));
  return [...new Map(variants.filter((tokens) => tokens.length > 0).map((tokens) => [tokens.join(" "), tokens])).values()];
}
