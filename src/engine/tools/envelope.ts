import { sha256 } from "../../domain/hash.ts";
import { readsLikeTag } from "./tag-look-alikes.ts";

/** Longest value of a label that is shown, in UTF-16 units: titles come from outside too. */
const MAX_LABEL = 300;
/** Everything that may open a tag in the eyes of a reader: brackets of any kind, and how HTML writes them. */
const BRACKET = /[<\uff1c\ufe64\u2039\u3008\u2329\u27e8\u276e\u2770\u276c\u02c2\u227a\u29fc\u1438]|&lt;?|&#0*60;?|&#x0*3c;?/gi;
/** How far behind a bracket the tag's name is looked for, in UTF-16 units. */
const REACH = 160;
/** Invisible, and ignored where quotes are compared. */
const BREAK = "\u200b";

/**
 * Wraps text from outside as data. The mark at both ends depends on the run and the text, so that no page can know it;
 * what reads like the envelope's own tag inside, in whatever characters, is broken up by an invisible one.
 */
export function wrapUntrusted(text: string, label: Record<string, string>, run: string): string {
  const mark = sha256(`${run}\n${JSON.stringify(label)}\n${text}`).slice(0, 12);
  const attributes = Object.entries(label).map(([key, value]) => ` ${key}=${JSON.stringify(clean(value))}`);
  return `<untrusted-content mark="${mark}"${attributes.join("")}>\n${defuse(text)}\n</untrusted-content mark="${mark}">`;
}

function clean(value: string): string {
  const plain = value.replaceAll(BRACKET, " ").replace(/[>"\p{Cc}\u2028\u2029]/gu, " ");
  return plain.length > MAX_LABEL ? `${plain.slice(0, MAX_LABEL)}...` : plain;
}

function defuse(text: string): string {
  return text.replaceAll(BRACKET, (bracket: string, at: number) => {
    const behind = text.slice(at + bracket.length, at + bracket.length + REACH);
    return readsLikeTag(behind) ? `${bracket}${BREAK}` : bracket;
  });
}

/** A window of a long text, with a line that says where it is and how to see more. */
export function windowOf(text: string, offset: number, limit: number): { part: string; note: string } {
  const points = Array.from(text);
  const part = points.slice(offset, offset + limit).join("");
  const end = Math.min(points.length, offset + limit);
  const note =
    offset === 0 && end === points.length
      ? ""
      : `Characters ${offset} to ${end} of ${points.length}.${end < points.length ? ` More: offset ${end}.` : ""}`;
  return { part, note };
}
