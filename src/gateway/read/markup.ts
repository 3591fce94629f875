/**
 * Plain steps over HTML that nobody has parsed. Each looks at every character once, whatever a site sends: here no worker
 * and no time limit stands between a page and the program.
 */

/** Characters of a title that count. */
const MAX_TITLE = 2_000;

/** HTML without what stands from each mark on up to the next end, marks included; all of the rest where there is no end. */
function cut(html: string, mark: string, end: string, instead: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let from = html.indexOf(mark); from >= 0; from = html.indexOf(mark, at)) {
    kept.push(html.slice(at, from), instead);
    const to = html.indexOf(end, from + mark.length);
    if (to < 0) return kept.join("");
    at = to + end.length;
  }
  return kept.join("") + html.slice(at);
}

export function dropComments(html: string): string {
  return cut(html, "<!--", "-->", "");
}

/** A space for each tag. */
export function dropTags(html: string): string {
  return cut(html, "<", ">", " ");
}

/** HTML without these elements and what is in them; one that is never closed goes on to the end. */
export function dropElements(html: string, names: readonly string[]): string {
  const lower = html.toLowerCase();
  const opening = new RegExp(`<(${names.join("|")})\\b`, "g");
  const kept: string[] = [];
  let at = 0;
  for (let found = opening.exec(lower); found !== null; found = opening.exec(lower)) {
    kept.push(html.slice(at, found.index), " ");
    const to = lower.indexOf(`</${found[1] ?? ""}`, found.index);
    if (to < 0) return kept.join("");
    at = to;
    opening.lastIndex = to;
  }
  return kept.join("") + html.slice(at);
}

/** What the title element says; empty where there is none. */
export function readTitle(html: string): string {
  const from = html.search(/<title[\s>]/i);
  const inside = from < 0 ? -1 : html.indexOf(">", from);
  return inside < 0 ? "" : (html.slice(inside + 1, inside + MAX_TITLE).split("<", 1)[0] ?? "").trim();
}
