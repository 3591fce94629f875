import TurndownService from "turndown";

/** Shorter descriptions of pictures are names of files and of products. */
const MIN_ALT_WORDS = 3;

/** A node as turndown's own parser makes it. */
interface MarkdownNode {
  nodeName: string;
  textContent: string | null;
  parentNode: MarkdownNode | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): MarkdownNode | null;
  querySelectorAll(selector: string): Iterable<MarkdownNode>;
}

/**
 * Markdown of clean HTML: ATX headings, fenced code, pipe tables. Characters are not escaped: the text is read and
 * quoted, never rendered.
 */
export function convertToMarkdown(html: string): string {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  service.escape = (text) => text;
  service.addRule("pre", { filter: "pre", replacement: (_, node) => fenceCode(asNode(node)) });
  service.addRule("image", { filter: "img", replacement: (_, node) => describeImage(asNode(node)) });
  service.addRule("link", { filter: "a", replacement: (content, node) => linkText(content, asNode(node).getAttribute("href")) });
  service.addRule("superscript", { filter: "sup", replacement: raise });
  service.addRule("cell", { filter: ["td", "th"], replacement: (content) => ` ${foldCell(content)} |` });
  service.addRule("row", { filter: "tr", replacement: (content) => (content.trim() === "" ? "" : `\n|${content}`) });
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  service.addRule("caption", { filter: "caption", replacement: (content) => (content.trim() === "" ? "" : `${foldCell(content)}\n`) });
  service.addRule("table", { filter: "table", replacement: (content) => `\n\n${ruleHeader(content)}\n\n` });
  return service
    .turndown(html)
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function asNode(node: unknown): MarkdownNode {
  return node as MarkdownNode;
}

function fenceCode(pre: MarkdownNode): string {
  const code = (pre.textContent ?? "").replace(/^\n|\s+$/g, "");
  if (code === "") return "";
  const names = `${pre.getAttribute("class") ?? ""} ${pre.querySelector("code")?.getAttribute("class") ?? ""}`;
  const language = /\b(?:language|lang|highlight-source)-([\w+#-]+)/.exec(names)?.[1] ?? "";
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `\n\n${fence}${language}\n${code}\n${fence}\n\n`;
}

/** What a figure shows, where no caption says it; elsewhere the names of pictures are noise between sentences. */
function describeImage(image: MarkdownNode): string {
  const alt = (image.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim();
  const figure = findFigure(image);
  const isTold = figure === undefined || figure.querySelector("figcaption") !== null || alt.split(" ").length < MIN_ALT_WORDS;
  return isTold ? "" : `![${alt}](${image.getAttribute("src") ?? ""})`;
}

function findFigure(node: MarkdownNode): MarkdownNode | undefined {
  const above = node.parentNode;
  if (above === null || above.nodeName === "FIGURE") return above ?? undefined;
  return findFigure(above);
}

/** A link over several lines, as around a card, is put on the first of them. */
function linkText(content: string, href: string | null): string {
  if (href === null || content.trim() === "") return content;
  const [, before = "", mark = "", text = "", after = ""] = /^(\s*)(#{1,6} )?([^\n]*)([\s\S]*)$/.exec(content) ?? [];
  return `${before}${mark}[${text.trim()}](${href})${after}`;
}

/** 10^6 must not become 106; the mark of a footnote stays as it is. */
function raise(content: string): string {
  return /^[-+−]?[\dnijk]+$/.test(content) ? `^${content}` : content;
}

function foldCell(content: string): string {
  return content
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replace(/\|/g, "\\|");
}

/** Puts the rule that Markdown wants under the first row. */
function ruleHeader(content: string): string {
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const first = lines.findIndex((line) => line.startsWith("|"));
  if (first < 0) return lines.join("\n");
  const columns = (lines[first] ?? "").replace(/\\\|/g, "").split("|").length - 2;
  return [
    ...lines.slice(0, first),
    ...(first > 0 ? [""] : []),
    lines[first],
    `|${" --- |".repeat(columns)}`,
    ...lines.slice(first + 1),
  ].join("\n");
}
