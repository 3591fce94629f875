import type { Paint } from "./color.ts";
import { isolateText, plainBlock } from "./plain-text.ts";

/**
 * Markdown as lines for a terminal: headings, quotes, lists, code and emphasis by colour, everything else as it is
 * written. The text may come from anywhere: it is made plain first, and links are shown, never made.
 */
export function markdownLines(text: string, paint: Paint): string[] {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of plainBlock(text).split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const closes = fence !== undefined && mark !== undefined && mark.startsWith(fence) && line.trim() === mark;
    if (fence !== undefined || mark !== undefined) lines.push(paint("dim", `  ${isolateText(line)}`));
    else if (line !== "" || lines.at(-1) !== "") lines.push(renderLine(line, paint));
    fence = closes ? undefined : (fence ?? mark);
  }
  while (lines[0] === "") lines.shift();
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

function renderLine(line: string, paint: Paint): string {
  const heading = /^#{1,6} +(.*?)(?: +#+)? *$/.exec(line)?.[1];
  if (heading !== undefined) return paint("strong", isolateText(heading));
  const quote = /^>[ ]?(.*)$/.exec(line)?.[1];
  if (quote !== undefined) return paint("dim", `│ ${isolateText(quote)}`);
  const item = /^(\s*)[-*+] +(.*)$/.exec(line);
  if (item) return `${item[1] ?? ""}• ${isolateText(renderInline(item[2] ?? "", paint))}`;
  return isolateText(renderInline(line, paint));
}

/** Code and strong words lose their marks only where colour takes their place. */
function renderInline(text: string, paint: Paint): string {
  if (paint("strong", "x") === "x") return text;
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      /^`.+`$/.test(part)
        ? paint("accent", part.slice(1, -1))
        : part.replace(/\*\*(\S.*?)\*\*/g, (_, words: string) => paint("strong", words)),
    )
    .join("");
}
