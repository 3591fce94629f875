import { findArxivId, findDoi } from "./identifiers.ts";

/** Query parameters that say where a reader came from, never what the page is. */
const TRACKING =
  /^(utm_[a-z_]+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_hs(enc|mi)|mkt_tok|vero_id|oly_(anon|enc)_id|ref_src|ref_url)$/i;

/**
 * The key under which the same document is recognised again: `arxiv:<id>` or `doi:<doi>` where the URL names one, else
 * the URL without fragment, tracking parameters, default port and trailing dot of the host. The order and the spelling
 * of everything else stay, since signatures and wiki links depend on them. Only a key: what is fetched is the URL itself.
 */
export function canonicalKey(url: string): string {
  if (/^(doi|arxiv):/.test(url)) return url;
  const arxiv = findArxivId(url);
  if (arxiv !== undefined) return `arxiv:${arxiv}`;
  const doi = /^(dx\.|www\.)?doi\.org$/.test(URL.parse(url)?.hostname ?? "") ? findDoi(url) : undefined;
  return doi === undefined ? addressKey(url) : `doi:${doi}`;
}

/**
 * The key under which the same address is recognised again: the URL without what says nothing of the page. Two addresses
 * of one work, such as its abstract and its PDF, stay two: they give different documents.
 */
export function addressKey(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  parsed.hash = "";
  parsed.hostname = parsed.hostname.replace(/\.+$/, "");
  const query = parsed.search.slice(1).split("&");
  const kept = query.filter((part) => !TRACKING.test(part.split("=", 1)[0] ?? ""));
  if (kept.length < query.length) parsed.search = kept.length === 0 ? "" : `?${kept.join("&")}`;
  return parsed.href;
}

/** The key of a work with known identifiers; those of its URL come last. */
export function canonicalKeyOf(work: {
  url: string;
  doi?: string | undefined;
  arxiv?: string | undefined;
  canonical_url?: string | undefined;
}): string {
  const arxiv = work.arxiv ?? findArxivId(work.doi ?? "");
  if (arxiv !== undefined) return `arxiv:${arxiv}`;
  if (work.doi !== undefined) return `doi:${work.doi.toLowerCase()}`;
  // A page may name another address of its own site, not take the identity of another site's page.
  const own = work.canonical_url !== undefined && URL.parse(work.canonical_url)?.host === URL.parse(work.url)?.host;
  return canonicalKey(own && work.canonical_url !== undefined ? work.canonical_url : work.url);
}
