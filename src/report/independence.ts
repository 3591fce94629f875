import type { SourceRecord } from "../domain/source.ts";

/**
 * How many different documents sources are. The same text, canonical address, DOI or arXiv id, or the same title by the
 * same authors, is one document, through however many links.
 */
export function countDocuments(sources: { id: string; record: SourceRecord | undefined }[]): number {
  const owner = new Map<string, number>();
  const parent: number[] = [];
  const rootOf = (start: number): number => {
    let node = start;
    while ((parent[node] ?? node) !== node) node = parent[node] ?? node;
    return node;
  };
  sources.forEach(({ id, record }, position) => {
    parent[position] = position;
    for (const key of keysOf(id, record)) {
      const other = owner.get(key);
      if (other === undefined) owner.set(key, position);
      else parent[rootOf(position)] = rootOf(other);
    }
  });
  return new Set(sources.map((_, position) => rootOf(position))).size;
}

/** What identifies a document. */
function keysOf(id: string, record: SourceRecord | undefined): string[] {
  if (record === undefined) return [`id ${id}`];
  const { title, authors, doi, arxiv, canonical_url } = record.bibliography;
  const keys = [`id ${id}`, `url ${record.canonical}`];
  if (record.text !== undefined && record.text.characters > 0) keys.push(`text ${record.text.sha256}`);
  if (canonical_url !== undefined) keys.push(`url ${canonical_url}`);
  if (doi !== undefined) keys.push(`doi ${doi.toLowerCase()}`);
  if (arxiv !== undefined) keys.push(`arxiv ${arxiv.toLowerCase().replace(/v\d+$/, "")}`);
  if (title !== undefined && authors !== undefined && authors.length > 0)
    keys.push(`work ${foldName(title)} by ${authors.map(foldName).join(", ")}`);
  return keys;
}

function foldName(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
