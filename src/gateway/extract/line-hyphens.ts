/** A word cut by a hyphen, a soft one too, at the end of a line, and what goes on in small letters on the next. */
const CUT = /(\p{L}+)([-\u2010\u00ad])\n(\p{Ll}\p{L}*)(\S*)( |(?=\n)|$)/gu;
const WORD = /\p{L}+(?:-\p{L}+)*/gu;

/**
 * Puts words together that a line end has cut. A hyphen stays where the document writes the word with it elsewhere, and
 * never in one piece. The rest of the word moves up to the line that it began on.
 */
export function undoLineHyphens(pages: readonly string[]): string[] {
  if (!pages.some((page) => page.search(CUT) >= 0)) return [...pages];
  const known = new Set(pages.flatMap((page) => page.toLowerCase().match(WORD) ?? []));
  return pages.map((page) =>
    page.replace(CUT, (_, head: string, hyphen: string, tail: string, rest: string, end: string) => {
      const whole = `${head}${tail}`;
      const compound = `${head}-${tail}`;
      const isCompound = hyphen !== "\u00ad" && known.has(compound.toLowerCase()) && !known.has(whole.toLowerCase());
      return `${isCompound ? compound : whole}${rest}${end === " " ? "\n" : ""}`;
    }),
  );
}
