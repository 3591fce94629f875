import type { Section } from "./note.ts";

export interface Body {
  title: string;
  preamble: string;
  sections: Section[];
}

/** Splits Markdown at its second-level headings; what stands in a fence is no heading. Line ends are `\n`. */
export function splitSections(markdown: string): Body {
  const blocks: { heading: string; lines: string[] }[] = [{ heading: "", lines: [] }];
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    const heading = fence === undefined ? /^## +(.*?)\s*$/s.exec(line)?.[1] : undefined;
    if (heading === undefined || heading === "") blocks.at(-1)?.lines.push(line);
    else blocks.push({ heading, lines: [] });
    fence = fenceAfter(line, fence);
  }
  const [first, ...rest] = blocks.map(({ heading, lines }) => ({ heading, body: trimBlankLines(lines) }));
  return { ...splitTitle(first?.body ?? ""), sections: rest };
}

/** The fence that is open after a line: opened by three or more of a kind, closed by at least as many alone. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const marks = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  const run = marks?.[1];
  if (run === undefined) return open;
  const rest = marks?.[2] ?? "";
  if (open === undefined) return run.startsWith("`") && rest.includes("`") ? undefined : run;
  return run.startsWith(open) && rest.trim() === "" ? undefined : open;
}

function splitTitle(preamble: string): { title: string; preamble: string } {
  const [first = "", ...rest] = preamble.split("\n");
  const title = /^# +(.*?)\s*$/s.exec(first)?.[1];
  return title === undefined || title === "" ? { title: "", preamble } : { title, preamble: trimBlankLines(rest) };
}

function trimBlankLines(lines: string[]): string {
  return lines.join("\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
}
