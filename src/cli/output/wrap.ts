import { graphemesOf, widthOf } from "./width.ts";

/**
 * A line of text as several of at most `width` columns: broken at spaces where there are any, else between letters as
 * people see them. Spaces at a break are dropped; an empty line stays one.
 */
export function wrapLine(text: string, width: number): string[] {
  const room = Math.max(2, width);
  if (widthOf(text) <= room) return [text];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  const end = (): void => {
    lines.push(line.trimEnd());
    line = "";
    used = 0;
  };
  for (const word of text.split(/(?<= )/)) {
    const bare = widthOf(word.trimEnd());
    if (used > 0 && used + bare > room) end();
    for (const piece of bare > room ? graphemesOf(word) : [word]) {
      const columns = widthOf(piece);
      if (used > 0 && used + widthOf(piece.trimEnd()) > room) end();
      line += piece;
      used += columns;
    }
  }
  if (line !== "") end();
  return lines;
}

/** Several lines, each wrapped. */
export function wrapBlock(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, width));
}
