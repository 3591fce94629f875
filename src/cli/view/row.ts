import type { Paint, Tone } from "../output/color.ts";
import { isolate, plainBlock, plainLine } from "../output/plain-text.ts";
import { cut, fit, widthOf } from "../output/width.ts";
import { wrapBlock } from "../output/wrap.ts";

/** A piece of a row in one tone. */
export interface Span {
  text: string;
  tone?: Tone | undefined;
}

/** One line of the screen; never wider than the terminal. */
export type Row = readonly Span[];

/** A row of pieces, cut where the line ends. Texts are made plain here and nowhere later. */
export function rowOf(width: number, ...spans: readonly (Span | string)[]): Row {
  const row: Span[] = [];
  let left = width;
  for (const span of spans) {
    const { text, tone } = typeof span === "string" ? { text: span, tone: undefined } : span;
    if (left <= 0) break;
    const shown = cut(plainKeepingSpaces(text), left);
    left -= widthOf(shown);
    row.push({ text: shown, tone });
  }
  return row;
}

/** A text of several lines as indented rows, wrapped where they end. */
export function textRows(text: string, width: number, indent: number, tone?: Tone): Row[] {
  const room = Math.max(10, width - indent);
  return wrapBlock(plainBlock(text), room).map((line) => rowOf(width, { text: " ".repeat(indent) + line, tone }));
}

/** A row whose last piece ends at the right edge; the left gives way first. */
export function splitRow(width: number, left: Span, right: Span): Row {
  const end = cut(plainLine(right.text), width);
  const room = width - widthOf(end) - 2;
  if (room < 4) return rowOf(width, left);
  return [
    { text: fit(plainLine(left.text), room), tone: left.tone },
    { text: `  ${end}`, tone: right.tone },
  ];
}

/** A row with its tones as escape sequences. */
export function paintSpans(row: Row, paint: Paint): string {
  return row.map(({ text, tone }) => (tone ? paint(tone, text) : text)).join("");
}

/** A row for a stream that is written to once. */
export function paintRow(row: Row, paint: Paint): string {
  return isolate(paintSpans(row, paint).trimEnd());
}

/** A row's text without tones. */
export function textOf(row: Row): string {
  return row.map((span) => span.text).join("");
}

/** Spaces at the ends set pieces apart and indent. */
function plainKeepingSpaces(text: string): string {
  const start = /^ */.exec(text)?.[0] ?? "";
  const end = start.length === text.length ? "" : (/ *$/.exec(text)?.[0] ?? "");
  return start + plainLine(text) + end;
}
