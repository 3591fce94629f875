/**
 * Word F1 and time of main-content extraction on pages with ground truth:
 *
 *     node bench/gateway-extraction.ts <folder> [every n-th page] [first page]
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
import { decodeText } from "../src/gateway/extract/charset.ts";
import { parsePage } from "../src/gateway/extract/dom.ts";
import { deriveFromHtml } from "../src/gateway/extract/html.ts";

interface Page {
  id: string;
  url: string | null;
  type: string;
  main_content: string | null;
}
interface Score {
  type: string;
  hypo: number;
  readability: number;
  defuddle: number;
}

const [folder = "", step = "1", first = "0"] = process.argv.slice(2);
/** Processor time, in milliseconds: it does not depend on what else the machine does. */
const times = { hypo: 0, both: 0 };
const scores: Score[] = [];
/** For pages whose address was not kept. */
const NOWHERE = "https://example.org/";
// Defuddle prints what it dislikes in a page.
console.error = () => undefined;

for (const page of readPages()) {
  const bytes = gunzipSync(readFileSync(join(folder, "html", `${page.id}.html.gz`)));
  const truth = page.main_content ?? "";
  const runOurs = (): string =>
    timed("hypo", () => deriveFromHtml({ bytes, mime: "text/html", kind: "html", url: page.url ?? NOWHERE }).text);
  const runBoth = (): readonly [string, string] =>
    timed("both", () => {
      const html = decodeText(bytes, undefined, "html");
      return [tryOr(() => readabilityOf(html)), tryOr(() => defuddleOf(html, page.url ?? NOWHERE))] as const;
    });
  // Whoever comes second finds the code warm, so they take turns.
  const [ours, [readability, defuddle]] =
    scores.length % 2 === 0 ? [runOurs(), runBoth()] : ((both) => [runOurs(), both] as const)(runBoth());
  scores.push({
    type: page.type,
    hypo: f1(plainOf(ours), truth),
    readability: f1(textOf(readability), truth),
    defuddle: f1(textOf(defuddle), truth),
  });
}

for (const type of ["all", ...new Set(scores.map((score) => score.type))]) {
  const group = scores.filter((score) => type === "all" || score.type === type);
  const mean = (name: "hypo" | "readability" | "defuddle"): string =>
    (group.reduce((sum, score) => sum + score[name], 0) / group.length).toFixed(3);
  console.log(
    `${type.padEnd(14)} ${String(group.length).padStart(4)}  hypo ${mean("hypo")}  readability ${mean("readability")}  defuddle ${mean("defuddle")}`,
  );
}
console.log(`time: hypo ${(times.hypo / 1000).toFixed(1)} s, both libraries one after the other ${(times.both / 1000).toFixed(1)} s`);

function readPages(): Page[] {
  const lines = gunzipSync(readFileSync(join(folder, "ground-truth.jsonl.gz"))).toString("utf8");
  const pages = lines.trim().split("\n");
  return pages.filter((_, index) => index % Number(step) === Number(first)).map((line) => JSON.parse(line) as Page);
}

/** Markdown made of the whole page, the least that each library's users do with it, is not counted against them. */
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

function timed<T>(name: keyof typeof times, work: () => T): T {
  const started = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(started);
  times[name] += (user + system) / 1000;
  return result;
}

function textOf(html: string): string {
  const { body } = parsePage(html.replace(/<\/?(?!a\b|b\b|i\b|em\b|strong\b|span\b|code\b|sup\b|sub\b)[a-z][^>]*>/gi, " $& "));
  return body.textContent;
}

function plainOf(markdown: string): string {
  return markdown
    .replace(/^# .*\n/, "")
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
