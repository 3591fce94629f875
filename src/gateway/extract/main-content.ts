import { Readability } from "@mozilla/readability";
import { DefuddleClass } from "defuddle/node";
import { chooseExtraction, type Extraction } from "./choose-extraction.ts";
import { parsePage, type PageDocument, type PageElement } from "./dom.ts";
import { findMainArea, lengthOf, linkShareOf } from "./main-area.ts";
import { hasOneSubject } from "./page-subject.ts";
import { preferMainArea } from "./prefer-main-area.ts";

/** Characters from which a paragraph is prose and no label. */
const MIN_PARAGRAPH = 80;

/**
 * HTML of the main content of a prepared page, as Readability or Defuddle found it, or the main area where that fits a
 * page of many parts better; undefined where they found nothing. Readability takes the document apart.
 */
export function findMainContent(document: PageDocument, url: string): string | undefined {
  const area = findMainArea(document.body.cloneNode(true)).innerHTML;
  const isOfOneSubject = hasOneSubject(document);
  const broad = extractByDefuddle(document, url);
  for (const data of document.querySelectorAll("script")) data.remove();
  const found = chooseExtraction(extractByReadability(document), broad, area);
  return found === undefined || isOfOneSubject ? found?.content : preferMainArea(found, area);
}

/** It throws on some pages; that means the same as finding nothing. Its look-ups at third parties are never started. */
function extractByDefuddle(document: PageDocument, url: string): Extraction | undefined {
  try {
    const { content } = new DefuddleClass(document, { url, useAsync: false }).parse();
    return describe(content, parsePage(content).body);
  } catch {
    return undefined;
  }
}

function extractByReadability(document: PageDocument): Extraction | undefined {
  const serializer = (node: unknown): PageElement => node as PageElement;
  try {
    const content = new Readability(document, { serializer, disableJSONLD: true, keepClasses: true }).parse()?.content;
    return content === null || content === undefined ? undefined : describe(content.innerHTML, content);
  } catch {
    return undefined;
  }
}

function describe(content: string, root: PageElement): Extraction {
  const paragraphs = [...root.querySelectorAll("p")].map(lengthOf).filter((length) => length > MIN_PARAGRAPH);
  const prose = paragraphs.reduce((sum, length) => sum + length, 0);
  return { content, linkShare: linkShareOf(root), proseShare: prose / Math.max(1, lengthOf(root)) };
}
