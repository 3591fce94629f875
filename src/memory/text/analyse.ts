/** Turns text into the tokens that the index holds and that queries ask for. */
import type { Language, LanguageTable, LanguageTools } from "./languages.ts";
import { foldMarks, hasUnspacedScript, splitByScript, tokensOfRun } from "./scripts.ts";
import { findWords, type Word } from "./words.ts";

export interface AnalysedText {
  /** Tokens in reading order. */
  main: string[];
  /** Whole compounds and parts of identifiers, which would break the order of `main`. */
  extra: string[];
}

const LONGEST_TOKEN = 64;

export function analyseText(text: string, language: Language, languages: LanguageTable): AnalysedText {
  const tools = languages.get(language);
  const analysed: AnalysedText = { main: [], extra: [] };
  for (const word of findWords(text)) {
    for (const part of word.parts) analysed.main.push(...tokensOfPart(part, tools));
    analysed.extra.push(...extraTokens(word));
  }
  return analysed;
}

/** Tokens of one part of a word: none for a stop word, several for a run of a script without spaces. */
export function tokensOfPart(part: string, tools: LanguageTools | undefined): string[] {
  if (!hasUnspacedScript(part)) return tokensOfPlainWord(part, tools);
  return splitByScript(part).flatMap((piece) => tokensOfRun(piece) ?? tokensOfPlainWord(piece, tools));
}

export function extraTokens(word: Word): string[] {
  const whole = word.whole === undefined ? [] : [clip(foldMarks(word.whole))];
  return [...whole, ...word.humps.map((hump) => clip(foldMarks(hump)))];
}

/** A word as it is before stemming, for prefixes. */
export function foldWord(part: string): string {
  return clip(foldMarks(part));
}

function tokensOfPlainWord(word: string, tools: LanguageTools | undefined): string[] {
  if (tools === undefined) return [foldWord(word)];
  if (tools.stopwords.has(word)) return [];
  return [clip(foldMarks(/\p{N}/u.test(word) ? word : tools.stem(word.replaceAll("ё", "е"))))];
}

function clip(token: string): string {
  return token.length <= LONGEST_TOKEN ? token : Array.from(token).slice(0, LONGEST_TOKEN).join("");
}
