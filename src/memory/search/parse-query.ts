/**
 * The language of queries: words, `"phrases"`, `prefix*`, `-excluded`, `field:value`. Every text is a query: what
 * looks like syntax but is none counts as words.
 */

const FIELDS = ["type", "status", "run", "source", "before", "after", "related"] as const;
export type Field = (typeof FIELDS)[number];

export interface Filter {
  field: Field;
  value: string;
  excluded: boolean;
}

export interface ParsedQuery {
  /** Words that rank notes; a note needs only one of them. */
  words: string[];
  prefixes: string[];
  /** Phrases that a note must hold. */
  phrases: string[];
  excludedPhrases: string[];
  excludedPrefixes: string[];
  filters: Filter[];
}

const LONGEST_QUERY = 10_000;
/** With so many words beside them, quotation marks are those of a text: what it quotes ranks like its other words. */
const PROSE = 8;
const ITEM = /(?<minus>-?)(?:(?<field>[A-Za-z]+):)?(?:["“”„](?<quoted>[^"“”„]*)["“”„]?|(?<bare>[^\s"“”„]+))|["“”„]/gu;

export function parseQuery(text: string): ParsedQuery {
  const query: ParsedQuery = { words: [], prefixes: [], phrases: [], excludedPhrases: [], excludedPrefixes: [], filters: [] };
  for (const { groups } of text.toWellFormed().slice(0, LONGEST_QUERY).matchAll(ITEM)) {
    if (groups !== undefined) addItem(query, groups);
  }
  if (query.words.length < PROSE) return query;
  return { ...query, words: [...query.words, ...query.phrases], phrases: [] };
}

/** True where the query lists notes: it has no text, or only says which notes are meant or not meant. */
export function asksForNothing(
  text: string,
  { words, prefixes, phrases, excludedPhrases, excludedPrefixes, filters }: ParsedQuery,
): boolean {
  if (words.length + prefixes.length + phrases.length > 0) return false;
  return text.trim() === "" || filters.length + excludedPhrases.length + excludedPrefixes.length > 0;
}

function addItem(query: ParsedQuery, groups: Record<string, string | undefined>): void {
  const { field, quoted, bare } = groups;
  const excluded = groups["minus"] === "-";
  const value = quoted ?? bare ?? "";
  if (value.trim() === "") return;
  const name = field?.toLowerCase() ?? "";
  if (isField(name) && isValueOf(name, value)) {
    query.filters.push({ field: name, value, excluded });
    return;
  }
  if (field !== undefined) query.words.push(field);
  const prefix = bare === undefined ? undefined : /^([\p{L}\p{M}\p{N}]{2,})\*$/u.exec(bare)?.[1];
  if (prefix !== undefined) (excluded ? query.excludedPrefixes : query.prefixes).push(prefix);
  else if (excluded) query.excludedPhrases.push(value);
  else (quoted === undefined ? query.words : query.phrases).push(value);
}

function isField(name: string): name is Field {
  return (FIELDS as readonly string[]).includes(name);
}

function isValueOf(field: Field, value: string): boolean {
  return (field !== "before" && field !== "after") || isDay(value);
}

/** A year, month, day or whole time, as `before:` and `after:` take it. */
export function isDay(text: string): boolean {
  return /^\d{4}(?:-\d{2}(?:-\d{2}(?:T[\d:.]+Z?)?)?)?$/.test(text);
}
