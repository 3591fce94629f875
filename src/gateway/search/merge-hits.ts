import type { SearchHit } from "../../domain/ports.ts";
import { canonicalKeyOf } from "../store/canonical-url.ts";

/** Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): how fast a rank loses its weight. */
const RANK_CONSTANT = 60;

/**
 * One list from those of several providers: the same document counts once, with what each provider knows of it, and
 * what several rank high comes first. Ties keep the order of the providers.
 */
export function mergeHits(lists: readonly SearchHit[][], limit: number): SearchHit[] {
  const merged = new Map<string, { hit: SearchHit; score: number }>();
  for (const list of lists) {
    for (const [rank, hit] of list.entries()) {
      const key = canonicalKeyOf(hit);
      const known = merged.get(key);
      const score = (known?.score ?? 0) + 1 / (RANK_CONSTANT + rank + 1);
      merged.set(key, { hit: known === undefined ? hit : joinHits(known.hit, hit), score });
    }
  }
  return [...merged.values()]
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ hit }) => hit);
}

function joinHits(first: SearchHit, second: SearchHit): SearchHit {
  const providers = new Set([...first.provider.split(", "), ...second.provider.split(", ")]);
  return {
    url: first.url,
    title: first.title,
    snippet: first.snippet === "" ? second.snippet : first.snippet,
    provider: [...providers].join(", "),
    authors: first.authors !== undefined && first.authors.length > 0 ? first.authors : second.authors,
    published: first.published ?? second.published,
    journal: first.journal ?? second.journal,
    doi: first.doi ?? second.doi,
    pdf_url: first.pdf_url ?? second.pdf_url,
    retracted: first.retracted === true || second.retracted === true ? true : (first.retracted ?? second.retracted),
  };
}
