import { readBibliography } from "./bibliography.ts";
import { decodeText } from "./charset.ts";
import type { DerivedText, DeriveJob } from "./derived-text.ts";
import { parsePage, type PageDocument } from "./dom.ts";
import { appendFootnotes } from "./footnotes.ts";
import { findMainArea } from "./main-area.ts";
import { findMainContent } from "./main-content.ts";
import { convertToMarkdown } from "./markdown.ts";
import { charsetOf } from "./media-type.ts";
import { preparePage } from "./prepare-page.ts";
import { straightenTables } from "./tables.ts";

/** Change the number with every change that can change a text: it says which rules a quote was checked against. */
const EXTRACTOR = "html/4";

/** A page whose text is a smaller part of its HTML than this, and short, waits for scripts to fill it. */
const THIN_RATIO = 0.02;
const SHORT_TEXT = 1_000;

/** The main content of a page as Markdown under its title, with the bibliography it carries. */
export function deriveFromHtml(job: DeriveJob): DerivedText {
  const html = decodeText(job.bytes, charsetOf(job.mime), "html");
  const document = parsePage(html);
  const bibliography = readBibliography(document, job.url);
  const scripted = document.querySelector("script") !== null;
  const footnotes = preparePage(document, job.url);
  const article = findMainContent(document, job.url);
  const main = article === undefined ? findWholeBody(html, job.url) : parsePage(article);
  straightenTables(main, main.body);
  const body = appendFootnotes(convertToMarkdown(main.body.innerHTML), footnotes);
  return {
    text: withTitle(bibliography.title, body),
    extractor: EXTRACTOR,
    bibliography,
    thin: scripted && body.length < SHORT_TEXT && body.length < html.length * THIN_RATIO,
    warnings: listWarnings(article !== undefined, body),
  };
}

function listWarnings(isRecognised: boolean, body: string): string[] {
  if (body === "") return ["The page holds no text."];
  return isRecognised ? [] : ["No main content was recognised: the text is the whole page."];
}

/** Readability takes its document apart, so the page is parsed again. */
function findWholeBody(html: string, url: string): PageDocument {
  const document = parsePage(html);
  preparePage(document, url);
  const area = findMainArea(document.body.cloneNode(true));
  if (area.textContent.trim() !== "") return parsePage(area.innerHTML);
  for (const element of document.querySelectorAll("script, nav, footer, aside, form, iframe, button")) element.remove();
  return document;
}

/** A title alone is no text of a page: it stays in the bibliography. */
function withTitle(title: string | undefined, body: string): string {
  if (title === undefined || body === "") return body;
  const [first = "", ...rest] = body.split("\n");
  const repeated = first.replace(/^#+\s*/, "").trim() === title;
  return `# ${title}\n\n${repeated ? rest.join("\n").trim() : body}`.trim();
}
