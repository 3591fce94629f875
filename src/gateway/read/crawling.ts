import { HypoError } from "../../domain/errors.ts";
import type { Clock, ReadDocument } from "../../domain/ports.ts";
import { decodeText } from "../extract/charset.ts";
import { charsetOf, kindOf, sniffMedia } from "../extract/media-type.ts";
import type { GuardedClient, GuardedResponse } from "../guarded-client.ts";
import type { OperatorClient } from "../operator-client.ts";
import type { WritableSourceStore } from "../store/source-store.ts";
import type { CrawlerOptions } from "./crawler.ts";
import { nameAllowed, type CheckAddress } from "./delegation.ts";
import { crawlByFirecrawl } from "./firecrawl-crawl.ts";
import { listPageLinks } from "./page-links.ts";
import type { FetchedPage } from "./page-source.ts";
import type { Reader } from "./reader.ts";
import { fetchRobotRules } from "./robots.ts";
import { readSitemaps } from "./sitemap.ts";

export interface CrawlingOptions {
  store: WritableSourceStore;
  reader: Reader;
  clock: Clock;
  delayMs: number;
  /** Undefined where a bundled folder stands in for the web: it has no robots.txt and no sitemaps. */
  client: GuardedClient | undefined;
  firecrawl: OperatorClient | undefined;
  /** Makes an address that no site has. */
  token: () => string;
  check: CheckAddress;
}

/** What a crawl needs of the web and of the store. */
export function createCrawling({ store, reader, client, firecrawl, clock, ...options }: CrawlingOptions): CrawlerOptions {
  const readBytes = async ({ source }: ReadDocument): Promise<Uint8Array> => (await store.bytes(source.id)) ?? new Uint8Array();

  async function tryFetch(url: string, signal: AbortSignal): Promise<GuardedResponse | undefined> {
    try {
      const response = await client?.get(url, { signal });
      return response !== undefined && response.status >= 200 && response.status < 300 ? response : undefined;
    } catch (error) {
      // What helps a crawl along and cannot be had is done without.
      if (signal.aborted || !(error instanceof HypoError)) throw error;
      return undefined;
    }
  }

  return {
    clock,
    delayMs: options.delayMs,
    read: (url, signal, admit) => reader.read(url, signal, { admit }),
    listLinks: async (document) => {
      const { source } = document;
      return listPageLinks(await readBytes(document), source.mime, source.retrievals.at(-1)?.final_url ?? source.canonical);
    },
    readHtml: async (document) => {
      const { mime } = document.source;
      return kindOf(mime) === "html" ? decodeText(await readBytes(document), charsetOf(mime), "html") : undefined;
    },
    fetchRules: async (url, signal) =>
      client === undefined ? { isAllowed: () => true, crawlDelayMs: 0, sitemaps: [] } : await fetchRobotRules(client, url, signal),
    listSitemaps: (sitemaps, host, wait, signal) =>
      readSitemaps(sitemaps, host, async (url) => {
        await wait();
        return (await tryFetch(url, signal))?.body;
      }),
    fetchMissing: async (url, signal) => {
      const missing = new URL(`/${options.token()}`, url).href;
      const answer = await tryFetch(missing, signal);
      if (answer === undefined) return undefined;
      const { body, headers, finalUrl } = answer;
      const { mime } = sniffMedia(headers["content-type"], body, finalUrl);
      return { html: decodeText(body, charsetOf(mime), "html"), url: missing, finalUrl };
    },
    crawlRendered:
      firecrawl === undefined
        ? undefined
        : async (request, rules) => {
            const entry = await options.check(request.url);
            const keep = (page: FetchedPage): Promise<ReadDocument> =>
              reader.keep({ ...page, retrieval: nameAllowed(page.retrieval, [entry]) }, request.signal);
            return await crawlByFirecrawl(request, { client: firecrawl, clock, rules, keep });
          },
  };
}
