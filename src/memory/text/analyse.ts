/** Turns text into the tokens that the index holds and that queries ask for. */
import type { Language, LanguageTable, LanguageTools } from "./languages.ts";
import { foldMarks, hasUnspacedScript, splitByScript, tokensOfRun } from "./scripts.ts";
import { listWords, readWord, type Word } from "./words.ts";

export interface AnalysedText {
  /** Tokens in reading order. */
  main: string[];
  /** Whole compounds and parts of identifiers, which would break the order of `main`. */
  extra: string[];
}

const LONGEST_TOKEN = 64;
const REMEMBERED_WORDS = 200_000;
/** Longer runs are sentences of a script without spaces, which do not come again. */
const LONGEST_REMEMBERED = 40;
const NOTHING: AnalysedText = { main: [], extra: [] };

/** The tokens of every word seen: texts repeat their words, and taking one apart costs far more than looking it up. */
const memories = new WeakMap<LanguageTools, Map<string, AnalysedText>>();

export function analyseText(text: string, language: Language, languages: LanguageTable): AnalysedText {
  const tools = languages.get(language);
  const analysed: AnalysedText = { main: [], extra: [] };
  for (const raw of listWords(text)) {
    const { main, extra } = analyseWord(raw, tools);
    for (const token of main) analysed.main.push(token);
    for (const token of extra) analysed.extra.push(token);
  }
  return analysed;
}

/** The tokens of a word as it stands in a text. */
export function analyseWord(raw: string, tools: LanguageTools | undefined): AnalysedText {
  const known = tools === undefined ? undefined : memoryOf(tools);
  const remembered = known?.get(raw);
  if (remembered !== undefined) return remembered;
  const word = readWord(raw);
  const analysed =
    word === undefined ? NOTHING : { main: word.parts.flatMap((part) => tokensOfPart(part, tools)), extra: extraTokens(word) };
  if (raw.length > LONGEST_REMEMBERED) return analysed;
  if (known !== undefined && known.size >= REMEMBERED_WORDS) known.clear();
  known?.set(raw, analysed);
  return analysed;
}

function memoryOf(tools: LanguageTools): Map<string, AnalysedText> {
  const known = memories.get(tools) ?? new Map<string, AnalysedText>();
  memories.set(tools, known);
  return known;
}

/** Tokens of one part of a word: none for a stop word, several for a run of a script without spaces. */
export function tokensOfPart(part: string, tools: LanguageTools | undefined): string[] {
  if (!hasUnspacedScript(part)) return tokensOfPlainWord(part, tools);
  return splitByScript(part).flatMap((piece) => tokensOfRun(piece) ?? tokensOfPlainWord(piece, tools));
}

export function extraTokens(word: Pick<Word, "whole" | "humps">): string[] {
  const whole = word.whole === undefined ? [] : [clip(foldMarks(word.whole))];
  return [...whole, ...word.humps.map((hump) => clip(foldMarks(hump)))].filter((token) => token !== "");
}

/** A word as it is before stemming, for prefixes. */
export function foldWord(part: string): string {
  return clip(foldMarks(part));
}

function tokensOfPlainWord(word: string, tools: LanguageTools | undefined): string[] {
  if (tools?.stopwords.has(word) === true) return [];
  const stem = tools === undefined || /\p{N}/u.test(word) ? word : tools.stem(word.replaceAll("ё", "е"));
  const token = foldWord(stem);
  // A mark without its letter leaves nothing.
  return token === "" ? [] : [token];
}

function clip(token: string): string {
  return token.length <= LONGEST_TOKEN ? token : Array.from(token).slice(0, LONGEST_TOKEN).join("");
}
