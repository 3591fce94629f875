import type { PageElement } from "./dom.ts";

/** What never is content, whatever it is called. */
const CONTROLS =
  "script, style, template, nav, dialog, select, button, input, textarea, iframe, object, video, audio, canvas, " +
  "[role='navigation'], [role='dialog'], [role='banner'], [role='contentinfo'], [role='search'], [role='menu'], [role='menubar'], " +
  "[aria-modal]";

/** First or last words of the classes and ids of what surrounds content. */
const SURROUNDINGS = new Set(
  (
    "nav navbar navigation menu submenu megamenu breadcrumb breadcrumbs cookie cookies consent gdpr modal popup overlay flyout drawer " +
    "newsletter subscribe social share sharing skip footer pagination pager login signup signin minicart lightbox tooltip toast dialog " +
    "offcanvas"
  ).split(" "),
);
/** The same for names that content bears too: they count only for what is short or mostly links. */
const DOUBTFUL = new Set(
  (
    "filter filters facet facets refinement refinements toolbar sort sorting related recommended recommendations recommendation " +
    "recently sidebar advert advertisement sponsored disclaimer topbar"
  ).split(" "),
);
const SHORT_TEXT = 300;
const MOSTLY_LINKS = 0.5;

// No part from these shares of the page on is taken for its surroundings.
const HALF = 0.5;
const THIRD = 0.3;
const FIFTH = 0.2;
/** A `main` with less of the text than this stands beside the content. */
const MIN_MAIN = 0.4;

/**
 * Where the content of a page must be: its `main`, or all of it, without menus, dialogs, filters, and lists of links
 * before the first heading. It is no cut as clean as an extractor's, but loses no part of a page of many parts. Takes
 * the body apart.
 */
export function findMainArea(body: PageElement): PageElement {
  for (const element of body.querySelectorAll("script, style, template")) element.remove();
  const whole = lengthOf(body);
  const drop = (element: PageElement, share: number): void => {
    if (lengthOf(element) < whole * share) element.remove();
  };
  for (const element of body.querySelectorAll(CONTROLS)) drop(element, HALF);
  for (const element of body.querySelectorAll("header, footer")) {
    if (element.closest("article, main, [role='main'], section, li") === null) drop(element, HALF);
  }
  for (const element of body.querySelectorAll("aside, [role='complementary']")) drop(element, THIRD);
  for (const element of body.querySelectorAll("[hidden], [style*='display']")) if (isHidden(element)) drop(element, FIFTH);
  for (const element of body.querySelectorAll("div, section, ul, ol, form, p, aside, header, footer")) {
    if (isSurroundings(element)) drop(element, THIRD);
  }
  for (const element of listBeforeHeading(body)) if (linkShareOf(element) > MOSTLY_LINKS) drop(element, HALF);
  return findMain(body);
}

/** Characters of an element's text, white space folded. */
export function lengthOf(element: PageElement): number {
  return element.textContent.replace(/\s+/g, " ").trim().length;
}

/** Share of an element's text that is inside links, 0 to 1. */
export function linkShareOf(element: PageElement): number {
  if (element.tagName === "A") return 1;
  return [...element.querySelectorAll("a")].reduce((sum, link) => sum + lengthOf(link), 0) / Math.max(1, lengthOf(element));
}

function isHidden(element: PageElement): boolean {
  return element.hasAttribute("hidden") || /display\s*:\s*none/i.test(element.getAttribute("style") ?? "");
}

function isSurroundings(element: PageElement): boolean {
  const names = listNames(element);
  if (names.some((name) => SURROUNDINGS.has(name))) return true;
  return names.some((name) => DOUBTFUL.has(name)) && (lengthOf(element) < SHORT_TEXT || linkShareOf(element) > MOSTLY_LINKS);
}

/** `site-nav` is a menu and `menu_inner` too, but `nested-nav-card` is a card. */
function listNames(element: PageElement): string[] {
  const names = `${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`.split(/\s+/);
  return names.flatMap((name) => {
    const words =
      name
        .replace(/([a-z])([A-Z])/g, "$1-$2")
        .toLowerCase()
        .match(/[a-z]+/g) ?? [];
    return words.slice(0, 1).concat(words.slice(-1));
  });
}

/** What stands before the first heading of a page, on whatever level. */
function listBeforeHeading(body: PageElement): PageElement[] {
  const before: PageElement[] = [];
  let level: PageElement | null = [...body.querySelectorAll("h1")].find((heading) => lengthOf(heading) > 0) ?? null;
  for (; level !== null && level !== body; level = level.parentElement) {
    for (let element = level.previousElementSibling; element !== null; element = element.previousElementSibling) before.push(element);
  }
  return before;
}

function findMain(body: PageElement): PageElement {
  const mains = [...body.querySelectorAll("main, [role='main']")].map((element) => ({ element, length: lengthOf(element) }));
  const [largest] = mains.toSorted((a, b) => b.length - a.length);
  return largest !== undefined && largest.length >= MIN_MAIN * lengthOf(body) ? largest.element : body;
}
