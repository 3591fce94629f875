/**
 * Word F1 and time of main-content extraction on pages with ground truth, by type of page and over all:
 *
 *     node bench/contenders/gateway-extract.ts <folder> <hypo|readability|defuddle> [every n-th page] [first page]
 *
 * The folder holds `ground-truth.jsonl.gz` ({id, url, type, main_content}) and `html/<id>.html.gz`, as the WCXB benchmark
 * does. F1 is over lower-case words, the bags of both sides compared, averaged over pages. Addresses of links and images
 * are no text, and the title line is hypo's own, so both are left out.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Readability } from "@mozilla/readability";
import { DefuddleClass } from "defuddle/node";
import { importBuilt } from "../harness/contender.ts";
import { handFigures } from "../harness/measure.ts";

interface Page {
  id: string;
  url: string | null;
  type: string;
  main_content: string | null;
}

const [folder = "", extractor = "", step = "1", first = "0"] = process.argv.slice(2);
const { decodeText } = await importBuilt<typeof import("../../src/gateway/extract/charset.ts")>("gateway/extract/charset.ts");
const { parsePage } = await importBuilt<typeof import("../../src/gateway/extract/dom.ts")>("gateway/extract/dom.ts");
const { deriveFromHtml } = await importBuilt<typeof import("../../src/gateway/extract/html.ts")>("gateway/extract/html.ts");

/** For pages whose address was not kept. */
const NOWHERE = "https://example.org/";
// Defuddle prints what it dislikes in a page.
console.error = () => undefined;

const extract = chooseExtractor();
const scores: { type: string; f1: number }[] = [];
let workMs = 0;
for (const page of readPages()) {
  const bytes = gunzipSync(readFileSync(join(folder, "html", `${page.id}.html.gz`)));
  const began = performance.now();
  const found = extract(bytes, page.url ?? NOWHERE);
  workMs += performance.now() - began;
  scores.push({ type: page.type, f1: f1(found.text(), page.main_content ?? "") });
}
for (const type of new Set(scores.map((score) => score.type))) {
  const group = scores.filter((score) => score.type === type);
  console.log(`${type.padEnd(14)} ${String(group.length).padStart(4)} pages  F1 ${meanOf(group).toFixed(3)}`);
}
handFigures({ f1: meanOf(scores), perSecond: scores.length / (workMs / 1000) });

/** `text` is made for the score alone, so its time does not count. */
function chooseExtractor(): (bytes: Buffer, url: string) => { text: () => string } {
  if (extractor === "hypo") {
    return (bytes, url) => {
      const { text } = deriveFromHtml({ bytes, mime: "text/html", kind: "html", url });
      return { text: () => plainOf(text) };
    };
  }
  const run = extractor === "readability" ? readabilityOf : defuddleOf;
  return (bytes, url) => {
    const html = tryOr(() => run(decodeText(bytes, undefined, "html"), url));
    return { text: () => textOf(html) };
  };
}

function readabilityOf(html: string): string {
  return new Readability(parsePage(html)).parse()?.content ?? "";
}

function defuddleOf(html: string, url: string): string {
  return new DefuddleClass(parsePage(html), { url, useAsync: false }).parse().content;
}

function tryOr(work: () => string): string {
  try {
    return work();
  } catch {
    return "";
  }
}

function readPages(): Page[] {
  const lines = gunzipSync(readFileSync(join(folder, "ground-truth.jsonl.gz"))).toString("utf8");
  const pages = lines.trim().split("\n");
  return pages.filter((_, index) => index % Number(step) === Number(first)).map((line) => JSON.parse(line) as Page);
}

function meanOf(group: readonly { f1: number }[]): number {
  return group.reduce((sum, { f1 }) => sum + f1, 0) / group.length;
}

function textOf(html: string): string {
  const { body } = parsePage(html.replace(/<\/?(?!a\b|b\b|i\b|em\b|strong\b|span\b|code\b|sup\b|sub\b)[a-z][^>]*>/gi, " $& "));
  return body.textContent;
}

function plainOf(markdown: string): string {
  return markdown
    .replace(/^# .*(?:\n|$)/, "")
    .replace(/\]\([^)\s]*\)/g, "]")
    .replace(/^\|( --- \|)+$/gm, "");
}

function f1(found: string, truth: string): number {
  const [ours, theirs] = [wordsOf(found), wordsOf(truth)];
  if (ours.length === 0 || theirs.length === 0) return ours.length === theirs.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const word of theirs) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of ours) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(word, count - 1);
  }
  return (2 * shared) / (ours.length + theirs.length);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
