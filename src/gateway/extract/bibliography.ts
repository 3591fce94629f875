import type { Bibliography } from "../../domain/source.ts";
import { findArxivId, findDoi } from "../store/identifiers.ts";
import type { PageDocument } from "./dom.ts";
import { readJsonLd } from "./json-ld.ts";

/** What a page says about itself in meta elements, JSON-LD and links. Nothing is guessed from its prose. */
export function readBibliography(document: PageDocument, url: string): Bibliography {
  const metas = readMetas(document);
  const linked = readJsonLd(document);
  const first = (...names: string[]): string | undefined => names.map((name) => metas.get(name)?.[0]).find((value) => value !== undefined);
  const authors = [
    metas.get("citation_author") ?? metas.get("dc.creator") ?? metas.get("dcterms.creator") ?? [],
    linked.authors,
    metas.get("author") ?? (metas.get("article:author") ?? []).filter((author) => !/^https?:/.test(author)),
  ].find((list) => list.length > 0);
  return dropUndefined({
    title: first("citation_title", "dc.title", "og:title") ?? linked.title ?? findTitle(document),
    authors: authors?.slice(0, 50),
    published:
      first("citation_publication_date", "citation_date", "citation_online_date", "article:published_time", "dc.date", "dcterms.issued") ??
      linked.published ??
      first("date", "datepublished"),
    modified:
      first("article:modified_time", "dcterms.modified", "og:updated_time") ?? linked.modified ?? first("last-modified", "datemodified"),
    language: fold(document.documentElement.getAttribute("lang")) ?? first("citation_language", "dc.language", "og:locale"),
    doi: findDoi(first("citation_doi", "dc.identifier", "prism.doi") ?? "") ?? findDoi(url),
    arxiv: findArxivId(first("citation_arxiv_id") ?? "") ?? findArxivId(url),
    canonical_url: resolveLink(document, 'link[rel~="canonical"]', url),
    license:
      resolveLink(document, 'link[rel~="license"], a[rel~="license"]', url) ?? linked.license ?? first("dc.rights", "dcterms.license"),
    site: first("og:site_name", "application-name") ?? first("citation_journal_title"),
  });
}

/** Contents of meta elements by lower-case name or property, in document order. */
function readMetas(document: PageDocument): Map<string, string[]> {
  const metas = new Map<string, string[]>();
  for (const meta of document.querySelectorAll("meta[content]")) {
    const name = (meta.getAttribute("name") ?? meta.getAttribute("property") ?? meta.getAttribute("itemprop"))?.toLowerCase();
    const content = fold(meta.getAttribute("content"));
    if (name === undefined || content === undefined) continue;
    const known = metas.get(name);
    if (known === undefined) metas.set(name, [content]);
    else known.push(content);
  }
  return metas;
}

function findTitle(document: PageDocument): string | undefined {
  return fold(document.querySelector("title")?.textContent) ?? fold(document.querySelector("h1")?.textContent);
}

function resolveLink(document: PageDocument, selector: string, url: string): string | undefined {
  const href = document.querySelector(selector)?.getAttribute("href");
  const target = href === null || href === undefined || href.trim() === "" ? null : URL.parse(href, url);
  return target !== null && /^https?:$/.test(target.protocol) ? target.href : undefined;
}

function fold(text: string | null | undefined): string | undefined {
  const folded = (text ?? "").replace(/\s+/g, " ").trim().slice(0, 500);
  return folded === "" ? undefined : folded;
}

function dropUndefined(bibliography: { [K in keyof Bibliography]: Bibliography[K] | undefined }): Bibliography {
  return Object.fromEntries(Object.entries(bibliography).filter(([, value]) => value !== undefined));
}
