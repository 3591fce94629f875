import { anchorOf } from "./citations.ts";
import { webAddress } from "./escape.ts";
import { html, joinHtml, type Html } from "./html-text.ts";
import type { Citation, QuoteView, Report, Statement } from "./report-model.ts";

/** The quote that each mark of a report points to. */
export type Quotes = ReadonlyMap<string, QuoteView>;

export function quotesOf(report: Report): Quotes {
  return new Map(report.references.flatMap(({ quotes }) => quotes.map((quote) => [quote.label, quote] as const)));
}

export function section(title: string, body: Html | Html[]): Html {
  return html`<section><h2>${title}</h2>${body}</section>\n`;
}

/** A list, or a sentence that says there is nothing. */
export function list(items: Html[], empty: string): Html {
  return items.length === 0 ? html`<p class="note">${empty}</p>` : html`<ul>\n${joinHtml(items, "\n")}\n</ul>`;
}

export function item(body: Html, anchor?: string): Html {
  return anchor === undefined ? html`<li>${body}</li>` : html`<li id="${anchorOf(anchor)}">${body}</li>`;
}

/** A statement with its marks. */
export function statement({ text, citations }: Pick<Statement, "text" | "citations">, quotes: Quotes): Html {
  return html`${text} ${marks(citations, quotes)}`;
}

export function marks(citations: Citation[], quotes: Quotes): Html {
  return joinHtml(
    citations.map((citation) => mark(citation, quotes)),
    " ",
  );
}

/** A mark that shows its quote when it is pointed at or reached by the keyboard. */
export function mark({ label, anchor }: Citation, quotes: Quotes): Html {
  const quote = quotes.get(label);
  if (quote === undefined) return html`<a href="#${anchorOf(anchor)}">[${label}]</a>`;
  const shown = html`<span class="quote" aria-hidden="true">\u201c${quote.quote}\u201d</span>`;
  return html`<span class="cite"><a href="#${anchorOf(anchor)}" aria-describedby="${quoteId(quote)}">[${label}]</a>${shown}</span>`;
}

/** Where a quote's words stand in the references. */
export function quoteId({ label }: QuoteView): string {
  return `quote-${anchorOf(label)}`;
}

/** A link where the address may be linked to, else its text. */
export function link(address: string | undefined, text: string): Html {
  const href = address === undefined ? undefined : webAddress(address);
  return href === undefined ? html`<code>${text}</code>` : html`<a href="${href}" rel="noreferrer noopener nofollow">${text}</a>`;
}

/** A table that scrolls by itself where it is wide. */
export function table(caption: string, header: string[], rows: (string | number | Html)[][]): Html {
  const head = header.map((cell) => html`<th scope="col">${cell}</th>`);
  const body = rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table></div>`;
}
