import { Readability } from "@mozilla/readability";
import { readBibliography } from "./bibliography.ts";
import { decodeText } from "./charset.ts";
import type { DerivedText, DeriveJob } from "./derived-text.ts";
import { parsePage, type PageDocument, type PageElement } from "./dom.ts";
import { convertToMarkdown } from "./markdown.ts";
import { charsetOf } from "./media-type.ts";
import { preparePage } from "./prepare-page.ts";
import { straightenTables } from "./tables.ts";

/** Change the number with every change that can change a text: it says which rules a quote was checked against. */
const EXTRACTOR = "html/1";

/** A page whose text is a smaller part of its HTML than this, and short, waits for scripts to fill it. */
const THIN_RATIO = 0.02;
const SHORT_TEXT = 1_000;

/** The main content of a page as Markdown under its title, with the bibliography it carries. */
export function deriveFromHtml(job: DeriveJob): DerivedText {
  const html = decodeText(job.bytes, charsetOf(job.mime), true);
  const document = parsePage(html);
  const bibliography = readBibliography(document, job.url);
  const scripted = document.querySelector("script") !== null;
  preparePage(document, job.url);
  const article = findArticle(document);
  const main = article ?? findWholeBody(html, job.url);
  const body = convertToMarkdown(main);
  return {
    text: withTitle(bibliography.title, body),
    extractor: EXTRACTOR,
    bibliography,
    thin: scripted && body.length < SHORT_TEXT && body.length < html.length * THIN_RATIO,
    warnings: article === undefined ? ["No main content was recognised: the text is the whole page."] : [],
  };
}

function findArticle(document: PageDocument): string | undefined {
  const article = readArticle(document);
  const content = article?.content;
  if (content === undefined || content === null || content.textContent.trim() === "") return undefined;
  straightenTables(document, content);
  return content.innerHTML;
}

/** Readability gives up on some pages by throwing; that means the same as finding nothing. */
function readArticle(document: PageDocument): { content: PageElement | null | undefined } | null {
  const serializer = (node: unknown): PageElement => node as PageElement;
  try {
    return new Readability(document, { serializer, disableJSONLD: true, keepClasses: true }).parse();
  } catch {
    return null;
  }
}

/** Readability takes its document apart, so the page is parsed again. */
function findWholeBody(html: string, url: string): string {
  const document = parsePage(html);
  preparePage(document, url);
  for (const element of document.querySelectorAll("nav, header nav, footer, aside, form, svg, iframe, button")) element.remove();
  straightenTables(document, document.body);
  return document.body.innerHTML;
}

function withTitle(title: string | undefined, body: string): string {
  if (title === undefined) return body;
  const [first = "", ...rest] = body.split("\n");
  const repeated = first.replace(/^#+\s*/, "").trim() === title;
  return `# ${title}\n\n${repeated ? rest.join("\n").trim() : body}`.trim();
}
