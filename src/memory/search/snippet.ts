/** The passage of a note that shows best why it was found. Pure. */
import { analyseWord } from "../text/analyse.ts";
import type { Language, LanguageTable, LanguageTools } from "../text/languages.ts";
import { hasUnspacedScript } from "../text/scripts.ts";
import { matchWords } from "../text/words.ts";
import type { Term } from "./plan-query.ts";

/** Marks around a word that was asked for. */
const MARK = "**";

/**
 * How many letters stems and words begin with in common, in languages that write no compounds, an `i` and a `y` taken for
 * the same: a word that begins otherwise than all that was asked for need not be stemmed, which takes most of the time
 * of a snippet.
 */
export const KEPT_LETTERS: ReadonlyMap<Language, number> = new Map<Language, number>([
  ["en", 2],
  ["fr", 1],
  ["es", 1],
  ["it", 1],
  ["pt", 1],
  ["ro", 1],
]);
const SIMPLE_WORD = /^[A-Za-z][a-z]*$/;

const LENGTH = 240;
const LEAD = 60;
const MOST_HITS = 1000;
const NONE: number[] = [];

interface Hit {
  start: number;
  end: number;
  terms: number[];
}

/** About 240 characters on one line, around the most different terms, with the words that were asked for marked. */
export function makeSnippet(text: string, terms: Term[], language: Language, languages: LanguageTable): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const hits = findHits(flat, terms, { tools: languages.get(language), kept: KEPT_LETTERS.get(language) });
  const from = startOfWindow(flat, bestStart(hits));
  const to = endOfWindow(flat, from + LENGTH);
  return `${from > 0 ? "…" : ""}${markHits(flat, hits, from, to)}${to < flat.length ? "…" : ""}`;
}

/** How the words of the text are analysed. */
interface Words {
  tools: LanguageTools | undefined;
  /** How many letters the stems keep; undefined where nothing is known of that. */
  kept: number | undefined;
}

function findHits(text: string, terms: Term[], words: Words): Hit[] {
  if (terms.length === 0) return [];
  const termsOf = lookUpTerms(terms, words);
  const hits: Hit[] = [];
  for (const { 0: raw, index: start } of matchWords(text)) {
    if (hasUnspacedScript(raw)) addHitsInRun(hits, raw, start, terms);
    else {
      const found = termsOf(raw);
      if (found.length > 0) hits.push({ start, end: start + raw.length, terms: found });
    }
    if (hits.length >= MOST_HITS) break;
  }
  return hits;
}

/** In a script without spaces the word is a whole sentence, or a page: pieces of two and three characters are marked in it. */
function addHitsInRun(hits: Hit[], raw: string, offset: number, terms: Term[]): void {
  const termsOf = Map.groupBy(
    terms.flatMap(({ tokens }, term) => tokens.map((token) => ({ token, term }))),
    ({ token }) => token,
  );
  for (let at = 0; at < raw.length && hits.length < MOST_HITS; at++) {
    for (const size of [3, 2]) {
      const found = termsOf.get(raw.slice(at, at + size).toLowerCase());
      if (found === undefined) continue;
      const last = hits.at(-1);
      const [start, end] = [offset + at, offset + at + size];
      const hit = last === undefined || last.end < start || last.start < end - LENGTH ? { start, end, terms: [] } : last;
      if (hit !== last) hits.push(hit);
      hit.end = end;
      for (const { term } of found) if (!hit.terms.includes(term)) hit.terms.push(term);
      break;
    }
  }
}

/** Which terms a word is a hit of. */
function lookUpTerms(terms: Term[], { tools, kept }: Words): (raw: string) => number[] {
  const byToken = new Map<string, number[]>();
  for (const [index, { tokens }] of terms.entries()) {
    for (const token of tokens) byToken.set(token, [...(byToken.get(token) ?? []), index]);
  }
  const prefixes = terms.flatMap(({ prefix }, index) => (prefix === undefined ? [] : [{ prefix, index }]));
  const termsOfToken = (token: string) => [
    ...(byToken.get(token) ?? []),
    ...prefixes.filter(({ prefix }) => token.startsWith(prefix)).map(({ index }) => index),
  ];
  const beginnings = new Set([...byToken.keys(), ...prefixes.map(({ prefix }) => prefix)].map((token) => beginningOf(token, kept ?? 0)));
  return (raw) => {
    if (kept !== undefined && SIMPLE_WORD.test(raw) && !mayBeginAs(raw, kept, beginnings)) return NONE;
    const { main, extra } = analyseWord(raw, tools);
    const tokens = main.length === 1 && extra.length === 0 ? main : [...main, ...extra];
    return prefixes.length === 0 && !tokens.some((token) => byToken.has(token)) ? NONE : tokens.flatMap(termsOfToken);
  };
}

/** The same for a word and for its stem, unless the stem is shorter. */
export function beginningOf(word: string, kept: number): string {
  return word.slice(0, kept).toLowerCase().replaceAll("y", "i");
}

function mayBeginAs(raw: string, kept: number, beginnings: ReadonlySet<string>): boolean {
  const own = beginningOf(raw, kept);
  return beginnings.has(own) || beginnings.has(own.slice(0, 1));
}

/** Where the window with the most different terms begins; of equal ones the first. One pass, with the window's end ahead. */
function bestStart(hits: Hit[]): number {
  const inside = new Map<number, number>();
  const count = ({ terms }: Hit, change: 1 | -1) => {
    for (const term of terms) {
      const times = (inside.get(term) ?? 0) + change;
      if (times === 0) inside.delete(term);
      else inside.set(term, times);
    }
  };
  let best = 0;
  let most = 0;
  let last = 0;
  for (const [first, hit] of hits.entries()) {
    for (let next = hits[last]; next !== undefined && next.end <= hit.start + LENGTH - LEAD; next = hits[++last]) count(next, 1);
    if (inside.size > most) [best, most] = [hit.start, inside.size];
    if (last > first) count(hit, -1);
    else last = first + 1;
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
