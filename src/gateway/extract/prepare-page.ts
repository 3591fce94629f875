import type { PageDocument, PageElement } from "./dom.ts";

/** Mends what main-content extraction would lose: relative links, fractions, formulas. Works in place. */
export function preparePage(document: PageDocument, url: string): void {
  for (const element of document.querySelectorAll("script:not([type^='math/']), style, template, noscript")) element.remove();
  resolveLinks(document, url);
  for (const math of document.querySelectorAll("math")) math.replaceWith(formulaText(math));
  spellFractions(document);
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
