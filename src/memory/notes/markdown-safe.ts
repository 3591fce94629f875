/**
 * Text from models and pages, put into Markdown so that it cannot leave its section. Whatever stands in a block quote
 * ends with it: headings, fences, raw HTML and conflict markers in there are just text.
 */

/** Line ends as `\n`, well-formed Unicode, and no control characters, which could drive a terminal. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, "\n")
    .replace(/(?![\t\n])\p{Cc}/gu, "\ufffd")
    .replace(/^\s*\n|\s+$/g, "");
}

/** One line with single spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, " ").trim();
}

export function quoteBlock(text: string): string {
  return cleanText(text)
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** The text inside a block quote, or undefined where the body is not one block quote. */
export function unquoteBlock(body: string): string | undefined {
  const lines = body.split("\n");
  if (!lines.every((line) => line.startsWith(">"))) return undefined;
  return lines.map((line) => line.slice(line.startsWith("> ") ? 2 : 1)).join("\n");
}

/** Starts of lines that begin a block: heading, quote, fence, underline of a heading, rule, link definition, table. */
const BLOCK_START = /^\s{0,3}(?:#|>|`{3}|~{3}|=+\s*$|[-*_](?:\s*[-*_])*\s*$|\[|\||\t|\s{4})/m;

/** Prose as it is, and anything that could be more than prose as a block quote. */
export function proseOrQuote(text: string): string {
  const clean = cleanText(text);
  return clean.includes("<") || BLOCK_START.test(clean) || /^\s/.test(clean) ? quoteBlock(clean) : clean;
}

/** A list item on one line; it cannot hold a block. */
export function listItem(text: string): string {
  const line = cleanLine(text).replace(/</g, "\\<");
  return `- ${/^[#>`~\-*+=[|\d\\]/.test(line) ? `\\${line}` : line}`;
}

/** Inline code, whatever backquotes the text holds. */
export function inlineCode(text: string): string {
  return `\`${cleanLine(text).replaceAll("`", "'")}\``;
}
