import { HypoError, messageOf } from "../../domain/errors.ts";
import type { Clock, CrawlAnswer, CrawlRequest, ReadDocument } from "../../domain/ports.ts";
import { parseTarget } from "../address-policy.ts";
import { cancelled } from "../deadline.ts";
import { canonicalKey } from "../store/canonical-url.ts";
import type { RobotRules } from "./robots.ts";

/** Largest sum of the documents of one crawl, in bytes. */
const MAX_CRAWL_BYTES = 50_000_000;
/** Links of one page that are followed. */
const MAX_LINKS = 500;
const MAX_PAGES = 200;
const MAX_DEPTH = 5;

export interface CrawlerOptions {
  read(url: string, signal: AbortSignal): Promise<ReadDocument>;
  /** Absolute links of a document that was read. */
  listLinks(document: ReadDocument): Promise<string[]>;
  fetchRules(url: string, signal: AbortSignal): Promise<RobotRules>;
  clock: Clock;
  /** Least time between two pages, in milliseconds; a site's crawl-delay may make it longer. */
  delayMs: number;
}

/** Reads pages of one host breadth first, within pages, depth and bytes, and as its robots.txt allows. */
export async function crawlSite(request: CrawlRequest, options: CrawlerOptions): Promise<CrawlAnswer> {
  const { signal } = request;
  const { host } = parseTarget(request.url);
  const rules = await options.fetchRules(request.url, signal);
  if (!rules.isAllowed(request.url)) throw disallowed(request.url, rules.problem);
  const pages = Math.min(request.pages, MAX_PAGES);
  const frontier = [{ url: request.url, depth: 0 }];
  const met = new Set([canonicalKey(request.url)]);
  const answer: CrawlAnswer = { documents: [], skipped: [] };
  let bytes = 0;
  for (let next = frontier.shift(); next !== undefined; next = frontier.shift()) {
    if (answer.documents.length >= pages || bytes >= MAX_CRAWL_BYTES) {
      const reason = bytes >= MAX_CRAWL_BYTES ? "byte limit" : "page limit";
      answer.skipped.push({ url: next.url, reason: `the ${reason} of the crawl was reached` });
      continue;
    }
    if (met.size > 1) await options.clock.sleep(Math.max(options.delayMs, rules.crawlDelayMs), signal);
    const document = await tryRead(next.url, options, signal, answer);
    if (document === undefined) continue;
    if (new URL(lastUrlOf(document)).host !== host) {
      answer.skipped.push({ url: next.url, reason: "it redirects to another host" });
      continue;
    }
    answer.documents.push(document);
    bytes += document.source.size;
    if (next.depth >= Math.min(request.depth, MAX_DEPTH)) continue;
    for (const url of (await options.listLinks(document)).slice(0, MAX_LINKS)) {
      if (new URL(url).host !== host || met.has(canonicalKey(url))) continue;
      met.add(canonicalKey(url));
      if (rules.isAllowed(url)) frontier.push({ url, depth: next.depth + 1 });
      else answer.skipped.push({ url, reason: "robots.txt disallows it" });
    }
  }
  return answer;
}

async function tryRead(url: string, options: CrawlerOptions, signal: AbortSignal, answer: CrawlAnswer): Promise<ReadDocument | undefined> {
  if (signal.aborted) throw cancelled(url, signal);
  try {
    return await options.read(url, signal);
  } catch (error) {
    // Without its first page there is nothing to crawl, and the reason is the answer.
    if (signal.aborted || answer.documents.length + answer.skipped.length === 0) throw error;
    answer.skipped.push({ url, reason: messageOf(error) });
    return undefined;
  }
}

function lastUrlOf({ source }: ReadDocument): string {
  return source.retrievals.at(-1)?.final_url ?? source.canonical;
}

function disallowed(url: string, problem: string | undefined): HypoError {
  return new HypoError(
    "robots_disallowed",
    `The robots.txt of ${new URL(url).host} does not allow crawling ${url}${problem === undefined ? "" : ` (${problem})`}.`,
    {
      hint: "Read single pages that you know of, or crawl another site.",
    },
  );
}
