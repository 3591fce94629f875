import { marked, type Token, type Tokens } from "marked";
import { describe, expect, it } from "vitest";
import { createReportWriter } from "../../../src/report/index.ts";
import { HOSTILE, makeHostile } from "./hostile-records.ts";
import { KNUTH, makeEvidence, makeFinding, makeRun, makeSource } from "./run-records.ts";

const writer = createReportWriter();

/** A run and draft in which every foreign string is the given one, rendered. */
function renderWith(text: string): { markdown: string; json: string } {
  const { run, draft } = makeHostile(text);
  return {
    markdown: writer.render(run, draft).markdown + writer.render(run, undefined, text).markdown,
    json: writer.render(run, draft).json,
  };
}

function listTokens(markdown: string): Token[] {
  const tokens: Token[] = [];
  void marked.walkTokens(marked.lexer(markdown, { gfm: true }), (token) => {
    tokens.push(token);
  });
  return tokens;
}

/** What of a document a reader could be led or misled by. */
function shapeOf(markdown: string): { html: string[]; links: string[]; others: string[] } {
  const tokens = listTokens(markdown);
  return {
    html: tokens.filter(({ type }) => type === "html").map(({ raw }) => raw),
    links: tokens.filter((token): token is Tokens.Link => token.type === "link" || token.type === "image").map(({ href }) => href),
    others: tokens.map((token) => (token.type === "heading" ? `heading ${String((token as Tokens.Heading).depth)}` : token.type)),
  };
}

const BLOCKS = [
  "heading 1",
  "heading 2",
  "heading 3",
  "heading 4",
  "list",
  "list_item",
  "blockquote",
  "table",
  "code",
  "hr",
  "def",
  "image",
  "del",
];

function countBlocks(markdown: string): Record<string, number> {
  const { others } = shapeOf(markdown);
  return Object.fromEntries(BLOCKS.map((type) => [type, others.filter((other) => other === type).length]));
}

describe("hostile text in a report", () => {
  const harmless = countBlocks(renderWith("harmless words").markdown);

  it.each(HOSTILE)("stays text in Markdown: %j", (text) => {
    const { markdown } = renderWith(text);
    expect(countBlocks(markdown)).toEqual(harmless);
    const { html, links } = shapeOf(markdown);
    expect(html.filter((tag) => !/^(<a id="[A-Za-z0-9_-]*">|<\/a>)$/.test(tag))).toEqual([]);
    const isWebSource = /^(<?https?:\/\/[^\s<>]+)$/.test(text);
    expect(links.filter((href) => !href.startsWith("#") && !(isWebSource && href === new URL(text).href))).toEqual([]);
  });

  it.each(HOSTILE)("keeps every table at its width: %j", (text) => {
    const tables = listTokens(renderWith(text).markdown).filter((token): token is Tokens.Table => token.type === "table");
    expect(tables.map(({ header, rows }) => [header.length, rows.length])).toEqual([
      [6, 1],
      [3, 4],
      [6, 1],
      [3, 4],
    ]);
    const first = tables[0]?.rows[0];
    expect(first).toHaveLength(6);
    expect(first?.[1]?.text).toBe("failed");
  });

  it.each(HOSTILE)("brings no control or direction character into either file: %j", (text) => {
    const { markdown, json } = renderWith(text);
    const active = /[\p{Cc}\p{Cs}\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
    expect(`${markdown}${json}`.replaceAll("\n", "")).not.toMatch(active);
  });

  it("keeps the exact text of a quote in JSON", () => {
    const quote = "a\u202e\u0000<b>\u2028";
    const run = makeRun({ findings: [makeFinding("f-1", { evidence: [makeEvidence(KNUTH, quote)] })] });
    const report = JSON.parse(writer.render(run, undefined).json) as { references: { quotes: { quote: string }[] }[] };
    expect(report.references[0]?.quotes[0]?.quote).toBe(quote);
  });

  it.each([
    ["javascript:alert(1)", 0],
    ["data:text/html,<script>", 0],
    ["file:///etc/passwd", 0],
    ["https://user:secret@books.example/", 0],
    ["https://books.example/a>b<c", 1],
    ["https://books.example/(a) b", 1],
  ])("links a source's address only where it is plain HTTP: %s", (url, links) => {
    const run = makeRun({ sources: { [KNUTH]: makeSource(KNUTH, { title: "T" }, url) } });
    const external = shapeOf(writer.render(run, undefined).markdown).links.filter((href) => !href.startsWith("#"));
    expect(external).toHaveLength(links);
  });
});
