import type { PageDocument, PageElement } from "./dom.ts";
import { markFootnotes, type Footnotes } from "./footnotes.ts";

/** Characters from which a part for readers without scripts counts as content. */
const MIN_UNSCRIPTED_TEXT = 500;

/** Of scripts only formulas stay, and what the page says of itself: both may hold content. */
const USELESS = "script:not([type^='math/'], [type='application/ld+json']), style, template, svg";

/**
 * Mends what main-content extraction would lose: pages within the page, relative links, footnotes, fractions, formulas. Works in place.
 *
 * @returns the footnotes that the page's text refers to.
 */
export function preparePage(document: PageDocument, url: string): Footnotes {
  for (const element of document.querySelectorAll(USELESS)) element.remove();
  // Some sites paste whole pages into theirs; browsers overlook the inner tags, and a parser of pieces must not meet them.
  for (const element of document.querySelectorAll("body html, body body, body head")) element.replaceWith(...element.childNodes);
  showUnscripted(document);
  const footnotes = markFootnotes(document, url);
  resolveLinks(document, url);
  for (const math of document.querySelectorAll("math")) math.replaceWith(formulaText(math));
  spellFractions(document);
  return footnotes;
}

/** Some sites, forums above all, give their text to readers without scripts only; mostly it is a picture or a complaint. */
function showUnscripted(document: PageDocument): void {
  for (const element of document.querySelectorAll("noscript")) {
    const html = element.innerHTML;
    const shown = document.createElement("div");
    shown.innerHTML = html;
    if (shown.textContent.trim().length >= MIN_UNSCRIPTED_TEXT) element.replaceWith(shown);
    else element.remove();
  }
}

function resolveLinks(document: PageDocument, url: string): void {
  const base = URL.parse(document.querySelector("base[href]")?.getAttribute("href") ?? "", url)?.href ?? url;
  const page = withoutHash(url);
  for (const link of document.querySelectorAll("a[href]")) {
    const target = URL.parse(link.getAttribute("href") ?? "", base);
    // A link into the page itself, or a script, leads a reader nowhere.
    if (target === null || !/^(https?|mailto):$/.test(target.protocol) || withoutHash(target.href) === page) link.removeAttribute("href");
    else link.setAttribute("href", target.href);
  }
  for (const image of document.querySelectorAll("img[src]")) {
    const target = URL.parse(image.getAttribute("src") ?? "", base);
    if (target !== null && /^https?:$/.test(target.protocol)) image.setAttribute("src", target.href);
    else image.removeAttribute("src");
  }
}

function withoutHash(url: string): string {
  const [bare = ""] = url.split("#");
  return bare;
}

/** The TeX source of a formula where the page carries it, else its plain text. */
function formulaText(math: PageElement): string {
  const tex = math.querySelector('annotation[encoding="application/x-tex"]')?.textContent ?? math.getAttribute("alttext");
  return tex === null || tex.trim() === "" ? math.textContent.replace(/\s+/g, " ") : `$${tex.trim()}$`;
}

/** Stacked fractions lose their bar with the styles, and 4/3 would read 43. */
function spellFractions(document: PageDocument): void {
  for (const fraction of document.querySelectorAll(".sfrac, .frac")) {
    const top = fraction.querySelector(".num");
    const bottom = fraction.querySelector(".den");
    if (top === null || bottom === null) continue;
    // In a mixed number the whole stands before the fraction.
    const whole = fraction.textContent.slice(0, fraction.textContent.indexOf(top.textContent)).trim();
    fraction.replaceWith(`${whole === "" ? "" : `${whole} `}${top.textContent}/${bottom.textContent}`);
  }
}
