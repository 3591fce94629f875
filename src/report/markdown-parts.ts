import { anchorOf } from "./citations.ts";
import { joinMarkdown, safe, type Markdown } from "./escape.ts";
import type { Citation, Statement } from "./report-model.ts";

export function heading(level: 1 | 2 | 3, title: string | Markdown): Markdown {
  return safe`${{ markdown: "#".repeat(level) }} ${title}`;
}

/** A list, or what stands there when it is empty. */
export function list(items: Markdown[], empty: Markdown): Markdown {
  const lines = items.map((item) => safe`- ${item}`);
  return lines.length === 0 ? empty : joinMarkdown(lines, "\n");
}

/** A line below a list item. */
export function subItem(text: Markdown): Markdown {
  return safe`\n  - ${text}`;
}

export function none(sentence: string): Markdown {
  return safe`*${sentence}*`;
}

/** The place that a citation points to. */
export function anchor(id: string): Markdown {
  return { markdown: `<a id="${anchorOf(id)}"></a>` };
}

/** A statement with its marks. */
export function statement({ text, citations }: Pick<Statement, "text" | "citations">): Markdown {
  return citations.length === 0 ? safe`${text}` : safe`${text} ${marks(citations)}`;
}

/** Citations as links: [1] [2.1] [x-…]. */
export function marks(citations: Citation[]): Markdown {
  return joinMarkdown(citations.map(mark), " ");
}

export function mark({ label, anchor: target }: Citation): Markdown {
  return safe`[\\[${label}\\]](#${{ markdown: anchorOf(target) }})`;
}

/** A table; cells are on one line. A bar inside code would end its cell, so it is escaped here. */
export function table(header: string[], rows: (string | number | Markdown)[][]): Markdown {
  const rule = { markdown: `|${" --- |".repeat(header.length)}` };
  return joinMarkdown([tableLine(header), rule, ...rows.map(tableLine)], "\n");
}

function tableLine(cells: (string | number | Markdown)[]): Markdown {
  const escaped = cells.map((cell) => escapeBars(safe`${cell}`));
  return safe`| ${joinMarkdown(escaped, " | ")} |`;
}

function escapeBars({ markdown }: Markdown): Markdown {
  return { markdown: markdown.replaceAll(/(\\*)\|/g, (bar, slashes: string) => (slashes.length % 2 === 0 ? `${slashes}\\|` : bar)) };
}
