/**
 * Text of models, pages and files, made safe to print: it cannot move the cursor, colour the screen, set a title, make
 * links, hide letters or turn their order round. Everything shown that hypo did not write itself goes through here.
 */

const ESC = "\u001B";
const BEL = "\u0007";
/** Strings for the terminal (OSC, DCS, SOS, PM, APC) up to their end or, when cut off, to the end of the line. */
const TERMINAL_STRINGS = new RegExp(`${ESC}[\\]PX^_][^${BEL}${ESC}\\n]*(?:${BEL}|${ESC}\\\\)?`, "g");
/** Escape sequences: CSI in both its forms, and the short ones. */
const ESCAPES = new RegExp(`(?:${ESC}\\[|\u009B)[0-?]*[ -/]*[@-~]?|${ESC}[ -/]*[0-~]?`, "g");
/** Controls other than tab and newline. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;
/** Direction marks, embeddings, overrides and isolates. */
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
/** Zero width and invisible: space, word joiner, byte order mark, soft hyphen, invisible operators, tag characters. */
const INVISIBLE = /[\u00AD\u200B\u2060-\u2065\u206A-\u206F\uFEFF\u{E0000}-\u{E007F}\uFFF9-\uFFFB]/gu;
/** From the first to the last letter of right-to-left scripts, with what stands between them other than escapes. */
const RIGHT_TO_LEFT = "[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]";
const HAS_RIGHT_TO_LEFT = new RegExp(RIGHT_TO_LEFT, "u");
const RIGHT_TO_LEFT_RUN = new RegExp(`${RIGHT_TO_LEFT}(?:[^A-Za-z0-9\\p{Cc}]*${RIGHT_TO_LEFT})*`, "gu");

/** Several lines: newlines stay, tabs become two spaces. */
export function plainBlock(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(TERMINAL_STRINGS, "")
    .replace(ESCAPES, "")
    .replace(CONTROLS, "")
    .replace(BIDI, "")
    .replace(INVISIBLE, "")
    .replaceAll("\t", "  ");
}

/** One line: all white space folded to single spaces. */
export function plainLine(text: string): string {
  return plainBlock(text).replace(/\s+/g, " ").trim();
}

/**
 * Keeps right-to-left text from reordering what stands beside it on the line, word by word: for rows of columns. The
 * marks take no columns.
 */
export function isolate(text: string): string {
  return text.replace(RIGHT_TO_LEFT_RUN, (run) => `\u2068${run}\u2069`);
}

/**
 * A text within a line, or a line of prose, in its own direction, with the numbers and foreign words in it where its
 * readers expect them; what stands beside it stays in place. Text without right-to-left letters stays as it is.
 */
export function isolateText(text: string): string {
  return HAS_RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** What hypo did not write itself, as a part of a line that it did. */
export function foreign(text: string): string {
  return isolateText(plainLine(text));
}
