import type { Bibliography } from "../../domain/source.ts";
import type { KnownWork } from "./known-work.ts";

/** From this share of common words on, two titles are the same one, with or without its subtitle. */
const SAME_TITLE = 0.8;

/** What of a source's own metadata a service holds otherwise; nothing where they agree or there is nothing to compare. */
export function compareWork(bibliography: Bibliography, work: KnownWork): string[] {
  const { title, authors = [] } = bibliography;
  const differs: string[] = [];
  if (title !== undefined && work.title !== "" && !sameTitle(title, work.title))
    differs.push(`${work.service} has the title "${work.title}"`);
  const strangers = authors.filter((author) => !work.authors.some((other) => sharesName(author, other)));
  if (work.authors.length > 0 && strangers.length > 0)
    differs.push(`${work.service} does not know ${strangers.slice(0, 5).join(", ")} as author of it`);
  return differs;
}

/** Words of the shorter title that the longer holds too; page titles carry the site's name behind them. */
function sameTitle(a: string, b: string): boolean {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  const [short, long] = one.size <= other.size ? [one, other] : [other, one];
  if (short.size === 0) return one.size === other.size;
  const shared = Array.from(short).filter((word) => long.has(word)).length;
  return shared / short.size >= SAME_TITLE && (short.size > 2 || long.size <= short.size + 2);
}

/** Names agree where a whole word of two letters or more that is no initial is the same, whatever the order. */
function sharesName(a: string, b: string): boolean {
  const other = wordsOf(b);
  return Array.from(wordsOf(a)).some((word) => word.length > 1 && other.has(word));
}

function wordsOf(text: string): Set<string> {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? []);
}
