import type { Paint, Tone } from "./color.ts";
import { isolate, plainLine } from "./plain-text.ts";
import { fit, widthOf } from "./width.ts";

export interface Column<Row> {
  title: string;
  value(row: Row): string;
  side?: "left" | "right";
  tone?(row: Row): Tone | undefined;
  /** Widest it may get; the last column takes what is left where a width is given. */
  max?: number;
}

/**
 * Lines of a table with a heading. Values are made plain, so that they may come from anywhere.
 *
 * @param width columns of the terminal; undefined leaves the last column uncut, for pipes and files
 */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number | undefined, paint: Paint): string[] {
  const cells = rows.map((row) => columns.map((column) => plainLine(column.value(row))));
  const widths = columns.map((column, at) => {
    const widest = Math.max(widthOf(column.title), ...cells.map((row) => widthOf(row[at] ?? "")));
    return Math.min(widest, column.max ?? widest);
  });
  if (width !== undefined) shrinkLast(widths, width);
  const line = (texts: readonly string[], toneOf: (at: number) => Tone | undefined): string =>
    texts
      .map((text, at) => {
        const shown = isolate(fit(text, widths[at] ?? 0, columns[at]?.side));
        const tone = toneOf(at);
        return tone ? paint(tone, shown) : shown;
      })
      .join("  ")
      .trimEnd();
  const heading = line(
    columns.map((column) => column.title),
    () => "dim",
  );
  return [heading, ...rows.map((row, at) => line(cells[at] ?? [], (column) => columns[column]?.tone?.(row)))];
}

function shrinkLast(widths: number[], width: number): void {
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  const last = widths.length - 1;
  widths[last] = Math.min(widths[last] ?? 0, Math.max(10, width - before));
}
