/** Characters that a terminal does not show, or takes for something else than text. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Text as one word of a command line that a person may paste into a shell (bash, zsh; where it holds nothing hidden, any).
 * Whatever it says, the shell reads nothing else in it, and printing it changes no character of it.
 */
export function quoteForShell(word: string): string {
  if (/^[\w./:@+-]+$/.test(word)) return word;
  if (word.search(HIDDEN) < 0) return `'${word.replaceAll("'", `'\\''`)}'`;
  return `$'${word.replace(/[\\']/g, "\\$&").replace(HIDDEN, bytesOf)}'`;
}

/** A value as JSON, as one word of a command line. */
export function jsonForShell(value: unknown): string {
  return quoteForShell(JSON.stringify(value).replace(HIDDEN, unitsOf));
}

function bytesOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}

function unitsOf(text: string): string {
  return text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
