import type { SourceRecord } from "../../domain/source.ts";
import { renderBibtexEntry, seenText } from "../../report/index.ts";

/** A source as a BibTeX entry; what it does not say of itself is left out. */
export function bibtexOf({ id, canonical, bibliography, retrievals }: SourceRecord): string {
  const { title, authors = [], published, doi, arxiv, site } = bibliography;
  const latest = retrievals.at(-1);
  const entry = renderBibtexEntry({
    key: `source-${id.slice(0, 12)}`,
    title: seenText(title) ?? canonical,
    authors: authors.filter((author) => seenText(author) !== undefined),
    published,
    doi,
    arxiv,
    site: seenText(site),
    url: latest?.final_url,
    retrieved: latest?.retrieved_at,
    note: `SHA-256 ${id}`,
  });
  return `${entry}\n`;
}
