/** Marks of `markMarkup`: a unit that is nothing, and one that separates words. Units without a mark are words. */
export const DROP = 1;
export const SPACE = 2;

const LINE_MARKERS =
  /^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)]|#{1,6})[ \t]+|>)+|^[ \t]*(?:[-*_=][ \t]*){3,}$|^[ \t:-]*\|[ \t:|-]*$|^[ \t]*(?:```|~~~)[^\n]*$/gm;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;
/** From the closing bracket of a link: destination with balanced parentheses one deep, and an optional title. */
const LINK_TAIL = /\]\((?:<[^<>\n]{0,2000}>|(?:[^()\s]|\([^()\s]{0,500}\)){0,2000})(?:[ \t]+"[^"\n]{0,500}")?\)/y;

/**
 * Says which units of a Markdown text a reader does not see as words: emphasis, code marks, link brackets and
 * destinations, escapes, markers of headings, lists, quotes and tables. Linear in the text's length.
 *
 * It errs on the side of words: `2*3`, `a * b` and `snake_case` keep their signs.
 */
export function markMarkup(text: string): Uint8Array {
  const marks = new Uint8Array(text.length);
  for (const match of text.matchAll(LINE_MARKERS)) marks.fill(SPACE, match.index, match.index + match[0].length);
  const open: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    if (marks[index] !== 0) continue;
    const sign = text.charAt(index);
    if (sign === "[") open.push(index);
    else if (sign === "]") index += closeLink(text, index, marks, open) - 1;
    else if (sign === "\\") index += markEscape(text, index, marks);
    else if (sign === "*" || sign === "_" || sign === "~") index += markEmphasis(text, index, marks) - 1;
    else if (sign === "`") marks[index] = DROP;
    else if (sign === "|") marks[index] = SPACE;
  }
  return marks;
}

/** Marks a link's brackets and destination where one ends here; returns how many units were read. */
function closeLink(text: string, index: number, marks: Uint8Array, open: number[]): number {
  const start = open.pop();
  if (start === undefined || text.charAt(index + 1) !== "(") return 1;
  LINK_TAIL.lastIndex = index;
  const tail = LINK_TAIL.exec(text)?.[0].length;
  if (tail === undefined) return 1;
  marks.fill(DROP, text.charAt(start - 1) === "!" ? start - 1 : start, start + 1);
  marks.fill(DROP, index, index + tail);
  return tail;
}

/** A backslash before punctuation is dropped and what it escapes is a word; returns the units to skip. */
function markEscape(text: string, index: number, marks: Uint8Array): number {
  if (!PUNCTUATION.test(text.charAt(index + 1))) return 0;
  marks[index] = DROP;
  return 1;
}

/** Marks a run of emphasis signs where it can be emphasis; returns the run's length. */
function markEmphasis(text: string, index: number, marks: Uint8Array): number {
  const sign = text.charAt(index);
  let end = index + 1;
  while (text.charAt(end) === sign) end += 1;
  const [left, right] = [text.charAt(index - 1), text.charAt(end)];
  const standsAlone = isBlank(left) && isBlank(right);
  const insideWord = WORD.test(left) && WORD.test(right);
  const isOperator = insideWord && (sign === "_" || end - index === 1 || /\d/.test(left + right));
  const isTilde = sign === "~" && end - index !== 2;
  if (!standsAlone && !isOperator && !isTilde) marks.fill(DROP, index, end);
  return end - index;
}

function isBlank(unit: string): boolean {
  return unit === "" || unit.trim() === "";
}
