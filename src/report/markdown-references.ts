import { codeSpan, joinMarkdown, linkTo, safe, type Markdown } from "./escape.ts";
import { anchor, heading, none, subItem } from "./markdown-parts.ts";
import { arxivAddress, describeCheck, doiAddress } from "./reference-facts.ts";
import type { QuoteView, Reference } from "./report-model.ts";

/** Sources with what their own metadata says, and every quote taken from them with its place in the stored text. */
export function renderReferences(references: Reference[]): Markdown[] {
  const body = references.length === 0 ? none("No source is cited.") : joinMarkdown(references.map(renderReference), "\n");
  return [heading(2, "References"), body];
}

function renderReference(reference: Reference): Markdown {
  const { number, authors, title, published, doi, arxiv, url, retrieved, source, quotes } = reference;
  const parts = [
    ...(authors.length > 0 ? [safe`${authors.join(", ")}`] : []),
    title === null ? safe`Untitled document` : safe`*${title}*`,
    ...(published === null ? [] : [safe`${published}`]),
    ...(doi === null ? [] : [safe`DOI ${linkOr(doiAddress(doi), doi)}`]),
    ...(arxiv === null ? [] : [safe`arXiv ${linkOr(arxivAddress(arxiv), arxiv)}`]),
    url === null ? safe`no metadata in the record` : linkTo(url),
    ...(retrieved === null ? [] : [safe`retrieved ${retrieved}`]),
    safe`SHA-256 ${codeSpan(source.slice(0, 12))}`,
    ...describeCheck(reference.check).map((remark) => safe`**${remark}**`),
  ];
  const lines = quotes.map((quote) => subItem(renderQuote(quote, quotes.length > 1)));
  return safe`- ${anchor(reference.anchor)}\\[${number}\\] ${joinMarkdown(parts, ". ")}.${joinMarkdown(lines, "")}`;
}

function linkOr(address: string | undefined, text: string): Markdown {
  return address === undefined ? codeSpan(text) : linkTo(address);
}

function renderQuote({ label, anchor: target, quote, start, end, findings }: QuoteView, isOneOfSeveral: boolean): Markdown {
  const place = safe`characters ${start} to ${end}; ${findings.join(", ")}`;
  return isOneOfSeveral ? safe`${anchor(target)}\\[${label}\\] \u201c${quote}\u201d (${place})` : safe`\u201c${quote}\u201d (${place})`;
}
