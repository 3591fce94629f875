import type { PageDocument, PageElement } from "./dom.ts";

const MAX_SPAN = 50;

/** Turns layout tables into blocks and spanning cells of data tables into single ones, so that each row has its columns. */
export function straightenTables(document: PageDocument, root: PageElement): void {
  for (const table of [...root.querySelectorAll("table")].toReversed()) {
    if (isLayout(table)) unwrapTable(document, table);
    else expandSpans(document, table);
  }
}

function isLayout(table: PageElement): boolean {
  const role = table.getAttribute("role");
  const wide = [...table.querySelectorAll("tr")].some((row) => row.children.length > 1);
  return role === "presentation" || role === "none" || !wide || table.querySelector("table, pre, h1, h2, h3, td ul, td ol") !== null;
}

function unwrapTable(document: PageDocument, table: PageElement): void {
  const block = document.createElement("div");
  for (const cell of table.querySelectorAll("caption, td, th")) {
    if (cell.closest("table") !== table) continue;
    const part = document.createElement("div");
    part.innerHTML = cell.innerHTML;
    block.append(part);
  }
  table.replaceWith(block);
}

function expandSpans(document: PageDocument, table: PageElement): void {
  // By column: how many further rows a cell from above reaches into.
  const reach: number[] = [];
  for (const row of table.querySelectorAll("tr")) {
    let column = 0;
    let last: PageElement | undefined;
    const place = (cell: PageElement): void => {
      if (last !== undefined) last.after(cell);
      else if (row.firstElementChild === null) row.append(cell);
      else row.firstElementChild.replaceWith(cell, row.firstElementChild);
      last = cell;
    };
    const fillFromAbove = (): void => {
      while ((reach[column] ?? 0) > 0) {
        reach[column] = (reach[column] ?? 0) - 1;
        place(document.createElement("td"));
        column += 1;
      }
    };
    for (const cell of row.children) {
      fillFromAbove();
      const rows = readSpan(cell, "rowspan");
      const columns = readSpan(cell, "colspan");
      last = cell;
      for (let offset = 0; offset < columns; offset += 1) {
        if (offset > 0) place(document.createElement("td"));
        reach[column] = rows - 1;
        column += 1;
      }
    }
    fillFromAbove();
  }
}

function readSpan(cell: PageElement, name: "rowspan" | "colspan"): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? "1", 10);
  return Number.isInteger(span) && span > 0 ? Math.min(span, MAX_SPAN) : 1;
}
