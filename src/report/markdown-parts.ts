import { anchorOf } from "./citations.ts";
import { joinMarkdown, md, type Markdown } from "./escape.ts";
import type { Citation, Statement } from "./report-model.ts";

export function heading(level: 1 | 2 | 3, title: Markdown): Markdown {
  return { markdown: `${"#".repeat(level)} ${title.markdown}` };
}

/** A list, or what stands there when it is empty. */
export function list(items: Markdown[], empty: Markdown): Markdown {
  return items.length === 0
    ? empty
    : joinMarkdown(
        items.map((item) => md`- ${item}`),
        "\n",
      );
}

/** A line below a list item. */
export function subItem(text: Markdown): Markdown {
  return md`\n  - ${text}`;
}

export function none(sentence: string): Markdown {
  return md`*${sentence}*`;
}

/** The place that a citation points to. */
export function anchor(id: string): Markdown {
  return { markdown: `<a id="${anchorOf(id)}"></a>` };
}

/** A statement with its marks. */
export function statement({ text, citations }: Pick<Statement, "text" | "citations">): Markdown {
  return citations.length === 0 ? md`${text}` : md`${text} ${marks(citations)}`;
}

/** Citations as links: [1] [2.1] [x-…]. */
export function marks(citations: Citation[]): Markdown {
  return joinMarkdown(citations.map(mark), " ");
}

export function mark({ label, anchor: target }: Citation): Markdown {
  return md`[\\[${label}\\]](#${{ markdown: anchorOf(target) }})`;
}

/** A table; cells must be on one line. A bar inside code would end its cell, so it is escaped here. */
export function table(header: Markdown[], rows: Markdown[][]): Markdown {
  const line = (cells: Markdown[]): Markdown => md`| ${joinMarkdown(cells.map(escapeBars), " | ")} |`;
  return joinMarkdown(
    [
      line(header),
      line(
        header.map(
          () => md`
***
          `,
        ),
      ),
      ...rows.map(line),
    ],
    "\n",
  );
}

function escapeBars({ markdown }: Markdown): Markdown {
  return { markdown: markdown.replaceAll(/(\\*)\|/g, (bar, slashes: string) => (slashes.length % 2 === 0 ? `${slashes}\\|` : bar)) };
}
