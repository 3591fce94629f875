import { HypoError } from "../../domain/errors.ts";
import type { Clock, ReadDocument } from "../../domain/ports.ts";
import { decodeText } from "../extract/charset.ts";
import { charsetOf, kindOf } from "../extract/media-type.ts";
import type { GuardedClient } from "../guarded-client.ts";
import type { OperatorClient } from "../operator-client.ts";
import type { WritableSourceStore } from "../store/source-store.ts";
import type { CrawlerOptions } from "./crawler.ts";
import { crawlByFirecrawl } from "./firecrawl-crawl.ts";
import { listPageLinks } from "./page-links.ts";
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
  checkBeforeDelegating(url: string): Promise<void>;
}

/** What a crawl needs of the web and of the store. */
export function createCrawling({ store, reader, client, firecrawl, clock, ...options }: CrawlingOptions): CrawlerOptions {
  const readBytes = async ({ source }: ReadDocument): Promise<Uint8Array> => (await store.bytes(source.id)) ?? new Uint8Array();

  async function fetchBytes(url: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      const response = await client?.get(url, { signal });
      return response !== undefined && response.status >= 200 && response.status < 300 ? response.body : undefined;
    } catch (error) {
      // What helps a crawl along and cannot be had is done without.
      if (signal.aborted || !(error instanceof HypoError)) throw error;
      return undefined;
    }
  }

  return {
    clock,
    delayMs: options.delayMs,
    read: (url, signal) => reader.read(url, signal, false),
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
    listSitemaps: (sitemaps, host, signal) => readSitemaps(sitemaps, host, (url) => fetchBytes(url, signal)),
    fetchMissing: async (url, signal) => {
      const missing = new URL(`/${options.token()}`, url).href;
      const bytes = await fetchBytes(missing, signal);
      return bytes === undefined ? undefined : { html: decodeText(bytes, undefined, "html"), url: missing };
    },
    crawlRendered:
      firecrawl === undefined
        ? undefined
        : async (request, rules) => {
            await options.checkBeforeDelegating(request.url);
            const keep = (page: Parameters<Reader["keep"]>[0]): Promise<ReadDocument> => reader.keep(page, request.signal);
            return await crawlByFirecrawl(request, { client: firecrawl, clock, rules, keep });
          },
  };
}
