import { Readability } from "@mozilla/readability";
import { DefuddleClass } from "defuddle/node";
import { chooseExtraction, type Extraction } from "./choose-extraction.ts";
import { parsePage, type PageDocument, type PageElement } from "./dom.ts";

/**
 * HTML of the main content of a prepared page, as Readability or Defuddle found it; undefined where neither did.
 * Readability takes the document apart.
 */
export function findMainContent(document: PageDocument, url: string): string | undefined {
  const broad = extractByDefuddle(document, url);
  for (const data of document.querySelectorAll("script")) data.remove();
  return chooseExtraction(extractByReadability(document), broad)?.content;
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
  const linked = [...root.querySelectorAll("a")].reduce((sum, link) => sum + lengthOf(link), 0);
  return { content, linkShare: linked / Math.max(1, lengthOf(root)) };
}

function lengthOf(element: PageElement): number {
  return element.textContent.replace(/\s+/g, " ").trim().length;
}
