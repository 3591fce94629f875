import { parseHTML } from "linkedom";

/** The part of the DOM that extraction uses, as linkedom implements it. */
interface PageNode {
  textContent: string;
  parentNode: PageNode | null;
  childNodes: Iterable<PageNode>;
  remove(): void;
  replaceWith(...nodes: (PageNode | string)[]): void;
}

export interface PageElement extends PageNode {
  tagName: string;
  innerHTML: string;
  outerHTML: string;
  children: Iterable<PageElement> & { length: number };
  firstElementChild: PageElement | null;
  parentElement: PageElement | null;
  previousElementSibling: PageElement | null;
  cloneNode(deep: boolean): PageElement;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement> & { length: number };
  closest(selector: string): PageElement | null;
  append(...nodes: (PageNode | string)[]): void;
  after(...nodes: (PageNode | string)[]): void;
}

export interface PageDocument {
  title: string;
  documentElement: PageElement;
  body: PageElement;
  head: PageElement;
  createElement(name: string): PageElement;
  getElementById(id: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement> & { length: number };
}

/** Parses any HTML, a whole page or a piece of one; nothing in it is executed or fetched. */
export function parsePage(html: string): PageDocument {
  const whole = /<html[\s>]/i.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`;
  const { document } = parseHTML(whole) as unknown as { document: PageDocument };
  return document;
}
