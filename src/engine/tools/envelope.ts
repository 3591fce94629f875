import { sha256 } from "../../domain/hash.ts";

/**
 * Wraps text from outside as data. The mark at both ends depends on the run and the text, so that no page can know
 * it, and the envelope's own tag is defused inside.
 */
export function wrapUntrusted(text: string, label: Record<string, string>, run: string): string {
  const mark = sha256(`${run}\n${JSON.stringify(label)}\n${text}`).slice(0, 12);
  const attributes = Object.entries(label).map(([key, value]) => ` ${key}=${JSON.stringify(value.replace(/[<>\n\r]/g, " "))}`);
  const inside = text.replace(/<(\/?)(untrusted-content)/gi, "<$1\u200b$2");
  return `<untrusted-content mark="${mark}"${attributes.join("")}>\n${inside}\n</untrusted-content mark="${mark}">`;
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
