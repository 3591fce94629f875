/** The passage of a note that shows best why it was found. Pure. */
import { extraTokens, tokensOfPart } from "../text/analyse.ts";
import type { Language, LanguageTable, LanguageTools } from "../text/languages.ts";
import { hasUnspacedScript } from "../text/scripts.ts";
import { findWords, type Word } from "../text/words.ts";
import type { Term } from "./plan-query.ts";

/** Marks around a word that was asked for. */
const MARK = "**";

const LENGTH = 240;
const LEAD = 60;
const MOST_HITS = 1000;

interface Hit {
  start: number;
  end: number;
  terms: number[];
}

/** About 240 characters on one line, around the most different terms, with the words that were asked for marked. */
export function makeSnippet(text: string, terms: Term[], language: Language, languages: LanguageTable): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const hits = findHits(flat, terms, languages.get(language));
  const from = startOfWindow(flat, bestStart(hits));
  const to = endOfWindow(flat, from + LENGTH);
  return `${from > 0 ? "…" : ""}${markHits(flat, hits, from, to)}${to < flat.length ? "…" : ""}`;
}

function findHits(text: string, terms: Term[], tools: LanguageTools | undefined): Hit[] {
  if (terms.length === 0) return [];
  const hits = Array.from(findWords(text)).flatMap((word) => {
    const raw = text.slice(word.start, word.end);
    if (hasUnspacedScript(raw)) return findInRun(raw, word.start, terms);
    const found = termsOf(word, terms, tools);
    return found.length === 0 ? [] : [{ start: word.start, end: word.end, terms: found }];
  });
  return hits.slice(0, MOST_HITS);
}

/** In a script without spaces the word is a whole sentence: pieces of two and three characters are marked in it. */
function findInRun(raw: string, offset: number, terms: Term[]): Hit[] {
  const hits: Hit[] = [];
  for (let at = 0; at < raw.length; at++) {
    for (const size of [3, 2]) {
      const piece = raw.slice(at, at + size).toLowerCase();
      const found = terms.flatMap(({ tokens }, index) => (piece.length === size && tokens.includes(piece) ? [index] : []));
      if (found.length === 0) continue;
      const last = hits.at(-1);
      if (last === undefined || last.end < offset + at) hits.push({ start: offset + at, end: offset + at + size, terms: found });
      else [last.end, last.terms] = [offset + at + size, [...last.terms, ...found]];
      break;
    }
  }
  return hits;
}

function termsOf(word: Word, terms: Term[], tools: LanguageTools | undefined): number[] {
  const tokens = [...word.parts.flatMap((part) => tokensOfPart(part, tools)), ...extraTokens(word)];
  return terms.flatMap((term, index) => (tokens.some((token) => isHit(token, term)) ? [index] : []));
}

function isHit(token: string, { tokens, prefix }: Term): boolean {
  return tokens.includes(token) || (prefix !== undefined && token.startsWith(prefix));
}

/** Where the window with the most different terms begins; of equal ones the first. */
function bestStart(hits: Hit[]): number {
  let best = 0;
  let most = 0;
  for (const { start } of hits) {
    const seen = new Set(hits.filter((hit) => hit.start >= start && hit.end <= start + LENGTH - LEAD).flatMap(({ terms }) => terms));
    if (seen.size > most) [best, most] = [start, seen.size];
  }
  return best;
}

function startOfWindow(text: string, hit: number): number {
  if (hit <= LEAD) return 0;
  const space = text.indexOf(" ", hit - LEAD);
  return space === -1 || space >= hit ? hit : space + 1;
}

function endOfWindow(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(" ", end);
  return space > end - LEAD ? space : end;
}

function markHits(text: string, hits: Hit[], from: number, to: number): string {
  let marked = "";
  let done = from;
  for (const { start, end } of hits) {
    if (start < done || end > to) continue;
    marked += `${text.slice(done, start)}${MARK}${text.slice(start, end)}${MARK}`;
    done = end;
  }
  return (marked + text.slice(done, to)).toWellFormed();
}
