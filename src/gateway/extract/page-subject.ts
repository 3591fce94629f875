import type { PageDocument } from "./dom.ts";

const SUBJECT = String.raw`(?:\w*Article|\w*Posting|QAPage|Recipe)`;
const LINKED = new RegExp(String.raw`"@type"\s*:\s*\[?\s*"${SUBJECT}"`);
const MARKED = new RegExp(String.raw`^https?://schema\.org/${SUBJECT}$`);

/** Whether a page says of itself that it is about one thing: an article, a post, a question, a product, a recipe. */
export function hasOneSubject(document: PageDocument): boolean {
  const type = document.querySelector('meta[property="og:type"]')?.getAttribute("content") ?? "";
  if (/article|product/.test(type)) return true;
  // A page that marks several posts as such is an index of them.
  const marked = [...document.querySelectorAll("[itemtype]")].filter((element) => MARKED.test(element.getAttribute("itemtype") ?? ""));
  if (marked.length === 1) return true;
  return [...document.querySelectorAll('script[type="application/ld+json"]')].some((data) => LINKED.test(data.textContent));
}
