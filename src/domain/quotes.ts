import { countCodePoints } from "./folded-characters.ts";
import { DROP, markMarkup, SPACE } from "./markdown-markup.ts";
import { findNearest } from "./nearest-passage.ts";
import { type FoldedText, foldText, Joint } from "./quote-folding.ts";

/** Shortest quote, in characters that are not white space, and longest, in characters. */
const QUOTE_MIN = 8;
const QUOTE_MAX = 2000;

const ELLIPSIS = /\u2026|[[(]\s*\.\s?\.\s?\.\s*[\])]|(?:^|\s)\.{3}(?=\s|$)/;
const MARK = /\p{M}/u;

/** Where a quote stands in a text, in code points; `exact` where not one character differs. */
export interface QuoteFound {
  found: true;
  start: number;
  end: number;
  exact: boolean;
}

/** A quote that is not in the text, with the passage that shares most words with it, if any does. */
export interface QuoteMissing {
  found: false;
  nearest?: { start: number; end: number; passage: string };
}

/** Why a quote cannot be checked and what to quote instead; undefined where it can. */
export function quoteProblem(quote: string): string | undefined {
  const visible = quote.replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, "");
  if (Array.from(visible).length < QUOTE_MIN) {
    return `The quote has fewer than ${QUOTE_MIN} characters; quote enough of the sentence to stand for itself.`;
  }
  const length = Array.from(quote).length;
  if (length > QUOTE_MAX)
    return `The quote has ${length} characters, more than ${QUOTE_MAX}; quote only the sentences that carry the claim.`;
  if (ELLIPSIS.test(quote)) {
    return "The quote leaves words out with an ellipsis; quote one contiguous passage, or give two pieces of evidence.";
  }
  return quote.isWellFormed() ? undefined : "The quote holds half a character (a lone surrogate); copy it again from the text.";
}

/**
 * Finds a quote in the text derived from a source: first to the letter, then with typography, white space and line
 * breaks folded, then with Markdown taken away. Letters, digits, their case and their order must agree; the first place
 * where they do is given. Time is linear in the text's length.
 */
export function findQuote(text: string, quote: string): QuoteFound | QuoteMissing {
  const sought = quote.trim();
  if (sought === "") return { found: false };
  const verbatim = findVerbatim(text, sought);
  if (verbatim !== undefined) return verbatim;

  const plain = foldText(sought);
  const folded = foldText(text);
  const typographic = findFolded(folded, plain);
  if (typographic !== undefined) return { found: true, ...typographic, exact: false };

  const markup = markMarkup(text);
  const words = markup.includes(DROP) || markup.includes(SPACE) ? foldText(text, markup) : folded;
  const unmarked = findFolded(words, plain) ?? findFolded(words, foldText(sought, markMarkup(sought)));
  if (unmarked !== undefined) return { found: true, ...unmarked, exact: false };

  const nearest = findNearest(words, plain.key);
  return nearest === undefined ? { found: false } : { found: false, nearest: { ...nearest, passage: readRange(text, nearest) } };
}

/** The characters of a range given in code points. */
export function readRange(text: string, range: { start: number; end: number }): string {
  const from = unitIndexOf(text, 0, range.start);
  return text.slice(from, unitIndexOf(text, from, range.end - range.start));
}

/** The UTF-16 index so many code points after `from`. */
function unitIndexOf(text: string, from: number, points: number): number {
  let index = from;
  for (let left = points; left > 0 && index < text.length; left -= 1) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return index;
}

function findVerbatim(text: string, quote: string): QuoteFound | undefined {
  if (MARK.test(quote.charAt(0))) return undefined;
  for (let index = text.indexOf(quote); index >= 0; index = text.indexOf(quote, index + 1)) {
    const next = String.fromCodePoint(text.codePointAt(index + quote.length) ?? 0x20);
    if (MARK.test(next)) continue;
    const start = countCodePoints(text, index);
    return { found: true, start, end: start + countCodePoints(quote, quote.length), exact: true };
  }
  return undefined;
}

function findFolded(text: FoldedText, quote: FoldedText): { start: number; end: number } | undefined {
  const from = quote.key.length - quote.key.trimStart().length;
  const key = quote.key.trim();
  if (key === "") return undefined;
  for (let index = text.key.indexOf(key); index >= 0; index = text.key.indexOf(key, index + 1)) {
    const last = index + key.length - 1;
    if (!splitsCharacter(text, index) && !splitsCharacter(text, last + 1) && hyphensAgree(text, index, quote, from, key.length)) {
      return { start: text.start[index] ?? 0, end: text.end[last] ?? 0 };
    }
  }
  return undefined;
}

/** True where the units before and at an index come from one character of the original. */
function splitsCharacter(text: FoldedText, index: number): boolean {
  return index > 0 && index < text.key.length && text.start[index] === text.start[index - 1];
}

function hyphensAgree(text: FoldedText, index: number, quote: FoldedText, from: number, length: number): boolean {
  for (let offset = 1; offset < length; offset += 1) {
    const [a, b] = [text.joint[index + offset], quote.joint[from + offset]];
    if (a !== b && a !== Joint.lineBreak && b !== Joint.lineBreak) return false;
  }
  return true;
}
