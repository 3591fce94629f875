import { randomUUID } from "node:crypto";
import type { Config } from "../domain/config.ts";
import { HypoError, messageOf } from "../domain/errors.ts";
import type { Clock, Gateway } from "../domain/ports.ts";
import { admitUrl, parseAllowHosts, parseTarget, portOf, type AllowedHost } from "./address-policy.ts";
import { cancelled } from "./deadline.ts";
import type { ExchangeLimits } from "./exchange.ts";
import { createGuardedClient, type GuardedClient } from "./guarded-client.ts";
import { createOperatorClient, type OperatorClient } from "./operator-client.ts";
import { findUsableAddresses, resolveBySystem, type Resolve } from "./pinned-connector.ts";
import { PoliteQueue } from "./politeness.ts";
import { browsePage } from "./read/browser-adapter.ts";
import { bundledCorpus, type CorpusOptions } from "./read/bundled-corpus.ts";
import { crawlSite } from "./read/crawler.ts";
import { createCrawling } from "./read/crawling.ts";
import { delegate, type CheckAddress } from "./read/delegation.ts";
import { createFirecrawl } from "./read/firecrawl.ts";
import type { PageSource } from "./read/page-source.ts";
import { Reader } from "./read/reader.ts";
import { createWebSource } from "./read/web-source.ts";
import { createApiClient } from "./search/api-client.ts";
import { createProviders, describeLimits, type SearchEndpoints } from "./search/providers.ts";
import { Rests } from "./search/rests.ts";
import { SearchRouter } from "./search/search-router.ts";
import type { WritableSourceStore } from "./store/source-store.ts";

/** Least time between two pages of a crawl, in milliseconds, where the site asks for none. */
const CRAWL_DELAY_MS = 500;

export interface GatewayOptions {
  config: Pick<Config, "search" | "read" | "gateway">;
  store: WritableSourceStore;
  clock: Clock;
  /** hypo's version, for the User-Agent. */
  version: string;
  /** Serves search and reading from a folder instead of the web. */
  corpus?: CorpusOptions | undefined;
  /** How host names become addresses; the system's resolver where left out. */
  resolve?: Resolve | undefined;
  /** Other addresses of the public search providers. */
  endpoints?: Partial<SearchEndpoints> | undefined;
  crawlDelayMs?: number | undefined;
}

/** A gateway that also gives back its sockets and worker threads. */
export interface ClosableGateway extends Gateway {
  close(): Promise<void>;
}

/**
 * The gateway to the web: everything it fetches is bounded, checked against the address policy and kept in the store.
 * Making one is cheap: libraries are loaded and connections made when first needed.
 *
 * @throws HypoError `config_invalid` for a broken entry of gateway.allow_hosts.
 */
export function createGateway(options: GatewayOptions): ClosableGateway {
  const { config, store, clock } = options;
  const limits = readLimits(config.gateway);
  const allowed = parseAllowHosts(config.gateway.allow_hosts);
  const queue = new PoliteQueue(clock);
  const client = createGuardedClient({
    userAgent: userAgentOf(options.version, config.search.contact),
    allowHosts: config.gateway.allow_hosts,
    limits,
    queue,
    resolve: options.resolve,
  });
  const operator = createOperatorClients(config, limits);
  const check: CheckAddress = (url) => checkBeforeDelegating(url, allowed, options.resolve ?? resolveBySystem);
  const corpus = options.corpus === undefined ? undefined : bundledCorpus(options.corpus, clock);
  const source: PageSource = corpus ?? createWebSource(client, clock);
  const renderer = operator.firecrawl === undefined || corpus !== undefined ? undefined : createFirecrawl(operator.firecrawl, check, clock);
  const reader = new Reader({ store, source, renderer });
  const crawling = createCrawling({
    store,
    reader,
    clock,
    delayMs: options.crawlDelayMs ?? CRAWL_DELAY_MS,
    client: corpus === undefined ? client : undefined,
    firecrawl: renderer === undefined ? undefined : operator.firecrawl,
    token: randomUUID,
    check,
  });
  const router = new SearchRouter({
    providers: corpus === undefined ? listProviders(options, client, operator.searxng) : [corpus],
    queue,
    rests: new Rests(),
    clock,
    notices: corpus === undefined ? describeLimits(config.search) : [],
  });

  return {
    search: (request) => typed(`The search for "${request.query}"`, request.signal, () => router.search(request)),
    read: (url, { signal, refresh = false }) => typed(url, signal, () => reader.read(url, signal, { refresh })),
    download: (url, signal) => typed(url, signal, () => reader.download(url, signal)),
    crawl: (request) => typed(request.url, request.signal, () => crawlSite(request, crawling)),
    browse: (url, task, signal) =>
      typed(url, signal, async () => {
        if (operator.browser === undefined) throw noBrowser();
        const { browser } = operator;
        return await reader.keep(await delegate(url, check, () => browsePage(browser, clock, url, task, signal)), signal);
      }),
    async close() {
      await Promise.all([client.close(), store.close(), ...Object.values(operator).map((one) => one?.close())]);
    },
  };
}

/** Browsers connect by themselves, so what can be known before is checked: the URL, and where its name leads now. */
async function checkBeforeDelegating(text: string, allowed: readonly AllowedHost[], resolve: Resolve): Promise<string | undefined> {
  const url = parseTarget(text);
  const allowance = admitUrl(url, allowed);
  await findUsableAddresses(url.hostname.replace(/^\[|\]$/g, ""), portOf(url), resolve, allowed);
  return allowance?.entry;
}

function readLimits({ max_bytes: maxBytes, timeouts }: Config["gateway"]): ExchangeLimits {
  return {
    maxBytes,
    firstByteMs: timeouts.first_byte_seconds * 1000,
    totalMs: timeouts.total_seconds * 1000,
    idleMs: timeouts.idle_seconds * 1000,
  };
}

function userAgentOf(version: string, contact: string | undefined): string {
  // A header holds ASCII only.
  const plain = contact?.replace(/[^\x20-\x7e]/g, "?");
  return plain === undefined ? `hypo/${version}` : `hypo/${version} (+${plain})`;
}

interface OperatorClients {
  searxng: OperatorClient | undefined;
  firecrawl: OperatorClient | undefined;
  browser: OperatorClient | undefined;
}

function createOperatorClients({ search, read }: GatewayOptions["config"], limits: ExchangeLimits): OperatorClients {
  const open = (url: string | undefined, setting: string, bounds: ExchangeLimits): OperatorClient | undefined =>
    url === undefined ? undefined : createOperatorClient(url, setting, bounds);
  // A browser at work says nothing until it is done.
  const patient = { ...limits, firstByteMs: limits.totalMs };
  return {
    searxng: open(search.searxng_url, "search.searxng_url", limits),
    firecrawl: open(read.firecrawl_url, "read.firecrawl_url", patient),
    browser: open(read.browser_url, "read.browser_url", patient),
  };
}

function listProviders(
  { config, clock, endpoints = {} }: GatewayOptions,
  client: GuardedClient,
  searxng: OperatorClient | undefined,
): ReturnType<typeof createProviders> {
  const now = (): Date => clock.now();
  return createProviders({ search: config.search, api: createApiClient(client, now), searxng, endpoints, now });
}

/** Every failure leaves as a HypoError; one that came with the caller's abort says so. */
async function typed<T>(subject: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw cancelled(subject, signal);
    if (error instanceof HypoError) throw error;
    throw new HypoError("internal", `${subject} failed: ${messageOf(error)}.`, {
      hint: "This is a defect of hypo: please report it.",
      cause: error,
    });
  }
}

function noBrowser(): HypoError {
  return new HypoError("not_configured", "No browser adapter is configured.", {
    hint: "Set read.browser_url to a server with POST /browse {url, task}, or read the page without interaction.",
  });
}
