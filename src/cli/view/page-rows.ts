import { rowOf, type Row } from "./row.ts";

export interface PagePart {
  rows: Row[];
  /** How far it can be moved from where it opens. */
  maxScroll: number;
}

/**
 * A part of a long page in at most `height` rows, with marks where more is hidden.
 *
 * @param scroll rows from where the page opens
 * @param opensAt the side it opens at: what grows is read from its end
 */
export function pageRows(all: readonly Row[], width: number, height: number, scroll: number, opensAt: "start" | "end"): PagePart {
  const maxScroll = Math.max(0, all.length - height);
  const moved = Math.min(Math.max(0, scroll), maxScroll);
  const start = opensAt === "start" ? moved : maxScroll - moved;
  const rows = all.slice(start, start + height);
  const below = all.length - start - height;
  if (height >= 3 && start > 0) rows[0] = rowOf(width, { text: `↑ ${start + 1} more`, tone: "dim" });
  if (height >= 3 && below > 0) rows[height - 1] = rowOf(width, { text: `↓ ${below + 1} more`, tone: "dim" });
  return { rows, maxScroll };
}
