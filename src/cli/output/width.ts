import { createRequire } from "node:module";

/** Most text is this, and needs no measuring. */
const ASCII = /^[ -~]*$/;

// Both are made when first needed: that takes longer than most commands.
let graphemes: Intl.Segmenter | undefined;
let stringWidth: ((text: string) => number) | undefined;

/** Columns a text takes on a terminal: wide letters and emoji take two, combining marks none. */
export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : measure(text);
}

function measure(text: string): number {
  stringWidth ??= (createRequire(import.meta.url)("string-width") as typeof import("string-width")).default;
  return stringWidth(text);
}

/** Letters as people see them. */
export function graphemesOf(text: string): string[] {
  return Array.from(segmentsOf(text), ({ segment }) => segment);
}

function segmentsOf(text: string): Intl.Segments {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return graphemes.segment(text);
}

/** Text cut to at most `width` columns, between letters as people see them, with `…` where something is missing. */
export function cut(text: string, width: number): string {
  if (width <= 0) return "";
  // A letter takes at most two columns, so that a short text need not be measured letter by letter.
  if (text.length * 2 <= width || widthOf(text) <= width) return text;
  if (ASCII.test(text)) return `${text.slice(0, width - 1)}…`;
  let kept = "";
  let used = 0;
  for (const { segment } of segmentsOf(text)) {
    const columns = widthOf(segment);
    if (used + columns > width - 1) break;
    kept += segment;
    used += columns;
  }
  return `${kept}…`;
}

/** Text in exactly `width` columns: cut or filled with spaces on the right (or on the left for numbers). */
export function fit(text: string, width: number, side: "left" | "right" = "left"): string {
  const shown = cut(text, width);
  const filling = " ".repeat(Math.max(0, width - widthOf(shown)));
  return side === "left" ? shown + filling : filling + shown;
}
