import { HypoError, messageOf } from "../../domain/errors.ts";
import type { Clock, CrawlAnswer, CrawlRequest, ReadDocument } from "../../domain/ports.ts";
import { parseTarget } from "../address-policy.ts";
import { cancelled } from "../deadline.ts";
import type { Admit } from "../guarded-client.ts";
import { addressKey } from "../store/canonical-url.ts";
import type { RobotRules } from "./robots.ts";
import { describeAnswer, isSameAnswer, saysMissing, type MissingAnswer } from "./soft-404.ts";

/** Largest sum of the documents of one crawl, in bytes. */
const MAX_CRAWL_BYTES = 50_000_000;
/** Links of one page that are followed. */
const MAX_LINKS = 500;
const MAX_PAGES = 200;
const MAX_DEPTH = 5;

export interface CrawlerOptions {
  read(url: string, signal: AbortSignal, admit: Admit): Promise<ReadDocument>;
  /** The HTML of a document that was read; undefined where it is something else. */
  readHtml(document: ReadDocument): Promise<string | undefined>;
  /** Absolute links of a document that was read. */
  listLinks(document: ReadDocument): Promise<string[]>;
  fetchRules(url: string, signal: AbortSignal): Promise<RobotRules>;
  /** Addresses of pages on a host that these sitemaps name; waits before each sitemap. */
  listSitemaps(sitemaps: readonly string[], host: string, wait: () => Promise<void>, signal: AbortSignal): Promise<string[]>;
  /** What the site gives with a status of success for an address that cannot exist; undefined where it says so. */
  fetchMissing(url: string, signal: AbortSignal): Promise<FoundPage | undefined>;
  /** Crawls a site whose pages scripts fill; undefined where nothing can. */
  crawlRendered: ((request: CrawlRequest, rules: RobotRules) => Promise<CrawlAnswer>) | undefined;
  clock: Clock;
  /** Least time between two pages, in milliseconds; a site's crawl-delay may make it longer. */
  delayMs: number;
}

/** A page as a site gave it. */
interface FoundPage {
  html: string;
  /** What was asked for, and where redirects ended. */
  url: string;
  finalUrl: string;
}

/**
 * Reads pages of one host breadth first, within pages, depth and bytes, and as its robots.txt allows. What its sitemaps
 * name counts as linked from the first page.
 */
export async function crawlSite(request: CrawlRequest, options: CrawlerOptions): Promise<CrawlAnswer> {
  parseTarget(request.url);
  const rules = await options.fetchRules(request.url, request.signal);
  if (!rules.isAllowed(request.url)) throw disallowed(request.url, rules.problem);
  const first = await options.read(request.url, request.signal, (url) => admitPage(url, request.url, rules));
  const isRendered = first.source.retrievals.at(-1)?.backend === "firecrawl";
  if (isRendered && options.crawlRendered !== undefined) return await options.crawlRendered(request, rules);
  return await new Crawl(request, options, rules).run(first);
}

/** A page of the site that robots.txt allows: asked before each request, so that no redirect leads anywhere else. */
function admitPage(url: URL, start: string, rules: RobotRules): void {
  const { host } = new URL(start);
  if (url.host !== host) {
    throw new HypoError("refused", `${start} redirects to another host, ${url.host}.`, {
      hint: `Crawl ${url.origin}/ if it is the one you want.`,
    });
  }
  if (!rules.isAllowed(url.href)) throw disallowed(url.href, rules.problem);
}

class Crawl {
  readonly #request: CrawlRequest;
  readonly #options: CrawlerOptions;
  readonly #rules: RobotRules;
  readonly #host: string;
  readonly #frontier: { url: string; depth: number }[] = [];
  readonly #met: Set<string>;
  readonly #answer: CrawlAnswer = { documents: [], skipped: [] };
  #missing: { answer: MissingAnswer; leadsTo: string | undefined } | undefined;
  #bytes = 0;

  constructor(request: CrawlRequest, options: CrawlerOptions, rules: RobotRules) {
    this.#request = request;
    this.#options = options;
    this.#rules = rules;
    this.#host = parseTarget(request.url).host;
    this.#met = new Set([addressKey(request.url)]);
  }

  async run(first: ReadDocument): Promise<CrawlAnswer> {
    const { pages, depth, url } = this.#request;
    if (lastUrlOf(first).host !== this.#host) {
      this.#skip(url, "it redirects to another host");
      return this.#answer;
    }
    this.#add(first);
    if (pages > 1 && depth > 0) {
      await this.#learnMissing();
      this.#discover(await this.#options.listLinks(first), 1);
      this.#discover(await this.#readSitemaps(), 1);
    }
    for (let next = this.#frontier.shift(); next !== undefined; next = this.#frontier.shift()) {
      const limit = this.#findLimit();
      if (limit === undefined) await this.#visit(next.url, next.depth);
      else this.#skip(next.url, `the ${limit} of the crawl was reached`);
    }
    return this.#answer;
  }

  async #visit(url: string, depth: number): Promise<void> {
    await this.#wait();
    const document = await this.#tryRead(url);
    if (document === undefined) return;
    if (lastUrlOf(document).host !== this.#host) this.#skip(url, "it redirects to another host");
    else if (await this.#isMissing(document)) this.#skip(url, "it does not exist, though the server says it does");
    else {
      this.#add(document);
      if (depth < Math.min(this.#request.depth, MAX_DEPTH)) this.#discover(await this.#options.listLinks(document), depth + 1);
    }
  }

  #add(document: ReadDocument): void {
    this.#answer.documents.push(document);
    this.#bytes += document.source.size;
  }

  #skip(url: string, reason: string): void {
    this.#answer.skipped.push({ url, reason });
  }

  #discover(urls: readonly string[], depth: number): void {
    for (const url of urls.slice(0, MAX_LINKS)) {
      if (new URL(url).host !== this.#host || this.#met.has(addressKey(url))) continue;
      this.#met.add(addressKey(url));
      if (this.#rules.isAllowed(url)) this.#frontier.push({ url, depth });
      else this.#skip(url, "robots.txt disallows it");
    }
  }

  async #readSitemaps(): Promise<string[]> {
    const named = this.#rules.sitemaps;
    const sitemaps = named.length > 0 ? named : [new URL("/sitemap.xml", this.#request.url).href];
    return await this.#options.listSitemaps(sitemaps, this.#host, () => this.#wait(), this.#request.signal);
  }

  /** Some servers answer everything with status 200: how they do that shows which pages are none. */
  async #learnMissing(): Promise<void> {
    await this.#wait();
    const found = await this.#options.fetchMissing(this.#request.url, this.#request.signal);
    if (found === undefined) return;
    const { html, url, finalUrl } = found;
    this.#missing = { answer: describeAnswer(html, url), leadsTo: finalUrl === url ? undefined : finalUrl };
  }

  async #isMissing(document: ReadDocument): Promise<boolean> {
    if (saysMissing(document.source.bibliography.title, document.text)) return true;
    if (this.#missing === undefined) return false;
    const { answer, leadsTo } = this.#missing;
    const { href } = lastUrlOf(document);
    // Where the site leads all that is lost, to its first page mostly, is a page itself for who asks for it.
    if (href === leadsTo) return addressKey(document.source.retrievals.at(-1)?.url ?? href) !== addressKey(href);
    const html = await this.#options.readHtml(document);
    return html !== undefined && isSameAnswer(describeAnswer(html, href), answer);
  }

  async #wait(): Promise<void> {
    await this.#options.clock.sleep(Math.max(this.#options.delayMs, this.#rules.crawlDelayMs), this.#request.signal);
  }

  #findLimit(): string | undefined {
    if (this.#bytes >= MAX_CRAWL_BYTES) return "byte limit";
    return this.#answer.documents.length >= Math.min(this.#request.pages, MAX_PAGES) ? "page limit" : undefined;
  }

  async #tryRead(url: string): Promise<ReadDocument | undefined> {
    const { signal } = this.#request;
    if (signal.aborted) throw cancelled(url, signal);
    try {
      return await this.#options.read(url, signal, (each) => admitPage(each, url, this.#rules));
    } catch (error) {
      if (signal.aborted) throw error;
      this.#skip(url, messageOf(error));
      return undefined;
    }
  }
}

function lastUrlOf({ source }: ReadDocument): URL {
  return new URL(source.retrievals.at(-1)?.final_url ?? source.canonical);
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
