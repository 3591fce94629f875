import { decodeText } from "../extract/charset.ts";
import { charsetOf, kindOf } from "../extract/media-type.ts";
import { dropComments } from "./markup.ts";

const LINK = /<a\s[^<>]{0,500}?href\s*=\s*(?:"([^"]{1,2000})"|'([^']{1,2000})'|([^\s"'>]{1,2000}))/gi;
/** A page has its links in its first megabytes. */
const MAX_BYTES = 2_000_000;
const BASE = /<base\s[^<>]{0,200}?href\s*=\s*["']?([^"'\s>]{1,2000})/i;

/** Web links of a page, menus included, absolute and without fragments, each once, in document order. */
export function listPageLinks(bytes: Uint8Array, mime: string, url: string): string[] {
  if (kindOf(mime) !== "html") return [];
  const html = dropComments(decodeText(bytes.subarray(0, MAX_BYTES), charsetOf(mime), "html"));
  const base = URL.parse(BASE.exec(html)?.[1] ?? "", url)?.href ?? url;
  const links = new Set<string>();
  for (const [, quoted, single, bare] of html.matchAll(LINK)) {
    const target = URL.parse((quoted ?? single ?? bare ?? "").replaceAll("&amp;", "&").trim(), base);
    if (target === null || !/^https?:$/.test(target.protocol)) continue;
    target.hash = "";
    links.add(target.href);
  }
  return [...links];
}
