import type { PageDocument } from "./dom.ts";

const ONE_SUBJECT = /"@type"\s*:\s*\[?\s*"(\w*Article|\w*Posting|QAPage|Recipe)"/;

/** Whether a page says of itself that it is about one thing: an article, a post, a question, a product, a recipe. */
export function hasOneSubject(document: PageDocument): boolean {
  const type = document.querySelector('meta[property="og:type"]')?.getAttribute("content") ?? "";
  if (/article|product/.test(type)) return true;
  return [...document.querySelectorAll('script[type="application/ld+json"]')].some((data) => ONE_SUBJECT.test(data.textContent));
}
