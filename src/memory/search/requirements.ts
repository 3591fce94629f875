/** What a query requires of notes and excludes, beside its words and filters: phrases and beginnings of words. */
import type { IndexTables } from "../index/index-tables.ts";
import type { Phrase, QueryPlan } from "./plan-query.ts";
import type { NoteTokens } from "./score.ts";

export interface Requirements {
  /** For each required phrase, the notes that hold all words of it, in one of its forms: those that may hold the phrase. */
  mayHold: Uint8Array[];
  /** Marks notes that hold a word with an excluded beginning; undefined where there is none. */
  excluded: Uint8Array | undefined;
  /** Whether a note holds every required phrase and no excluded one. */
  isMetBy: (note: NoteTokens) => boolean;
}

export function readRequirements(plan: QueryPlan, tables: IndexTables): Requirements {
  /** The forms of a phrase whose words all occur somewhere. */
  const formsOf = (phrase: Phrase): number[][] =>
    phrase.flatMap((tokens) => {
      const numbers = tokens.flatMap((token) => tables.numberOf(token) ?? []);
      return numbers.length === tokens.length ? [numbers] : [];
    });
  const required = plan.required.map(formsOf);
  const excluded = plan.excluded.map(formsOf);
  const unwanted = plan.excludedPrefixes.flatMap(tables.numbersFrom);
  return {
    mayHold: required.map((forms) => markHolders(forms, tables)),
    excluded: unwanted.length === 0 ? undefined : markAny(unwanted, tables),
    isMetBy: (note) =>
      required.every((forms) => forms.some((form) => holdsPhrase(note, form))) &&
      !excluded.some((forms) => forms.some((form) => holdsPhrase(note, form))),
  };
}

/** Marks the notes that hold a token. */
function markAny(tokens: readonly number[], { size, postingsOf }: IndexTables): Uint8Array {
  const marks = new Uint8Array(size);
  const { notes, length } = postingsOf(tokens);
  for (let at = 0; at < length; at++) marks[notes[at] ?? 0] = 1;
  return marks;
}

/** Marks the notes that hold all tokens of one of the forms. */
function markHolders(forms: readonly number[][], { size, postingsOf }: IndexTables): Uint8Array {
  const marks = new Uint8Array(size);
  const held = new Uint32Array(size);
  for (const form of forms) {
    const tokens = [...new Set(form)];
    held.fill(0);
    for (const [index, token] of tokens.entries()) {
      const { notes, length } = postingsOf([token]);
      for (let at = 0; at < length; at++) {
        const note = notes[at] ?? 0;
        if (held[note] === index) held[note] = index + 1;
        if (index === tokens.length - 1 && held[note] === tokens.length) marks[note] = 1;
      }
    }
  }
  return marks;
}

/** Whether the tokens stand one after the other in the title, or in the text. */
function holdsPhrase({ tokens, titleLength, bodyLength }: NoteTokens, phrase: readonly number[]): boolean {
  return isWithin(tokens.subarray(0, titleLength), phrase) || isWithin(tokens.subarray(titleLength, titleLength + bodyLength), phrase);
}

function isWithin(tokens: Uint32Array, phrase: readonly number[]): boolean {
  const [first = 0] = phrase;
  for (let at = tokens.indexOf(first); at !== -1; at = tokens.indexOf(first, at + 1)) {
    if (phrase.every((token, index) => tokens[at + index] === token)) return true;
  }
  return false;
}
