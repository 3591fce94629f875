import { anchorOf } from "./citations.ts";
import { item, link, list, quoteId, section } from "./html-parts.ts";
import { html, joinHtml, type Html } from "./html-text.ts";
import { arxivAddress, describeCheck, doiAddress } from "./reference-facts.ts";
import type { QuoteView, Reference } from "./report-model.ts";

/** Sources with what their own metadata says, and every quote taken from them with its place in the stored text. */
export function referenceSection(references: Reference[]): Html {
  return section("References", list(references.map(showReference), "No source is cited."));
}

function showReference(reference: Reference): Html {
  const { number, authors, title, published, doi, arxiv, url, retrieved, source, quotes, check } = reference;
  const parts = [
    ...(authors.length > 0 ? [html`${authors.join(", ")}`] : []),
    title === null ? html`Untitled document` : html`<cite>${title}</cite>`,
    ...(published === null ? [] : [html`${published}`]),
    ...(doi === null ? [] : [html`DOI ${link(doiAddress(doi), doi)}`]),
    ...(arxiv === null ? [] : [html`arXiv ${link(arxivAddress(arxiv), arxiv)}`]),
    url === null ? html`no metadata in the record` : link(url, url),
    ...(retrieved === null ? [] : [html`retrieved ${retrieved}`]),
    html`SHA-256 <code>${source.slice(0, 12)}</code>`,
    ...describeCheck(check).map((remark) => html`<strong class="bad">${remark}</strong>`),
  ];
  const shown = quotes.map((quote) => showQuote(quote, quotes.length > 1));
  return item(html`[${number}] ${joinHtml(parts, ". ")}.${shown.length === 0 ? html`` : list(shown, "")}`, reference.anchor);
}

function showQuote(view: QuoteView, isOneOfSeveral: boolean): Html {
  const { label, anchor, quote, start, end, findings } = view;
  const place = html`<span class="about">(characters ${start} to ${end}; ${findings.join(", ")})</span>`;
  const words = html`<q id="${quoteId(view)}">${quote}</q> ${place}`;
  return isOneOfSeveral ? item(html`[${label}] ${words}`, anchorOf(anchor)) : item(words);
}
