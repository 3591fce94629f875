import type { GuardedClient } from "../guarded-client.ts";

/** The name that robots.txt files may address. */
const PRODUCT_TOKEN = "hypo";
/** A robots.txt counts up to here (RFC 9309); the rest is not parsed. */
const MAX_ROBOTS_BYTES = 512 * 1024;
const MAX_CRAWL_DELAY_MS = 10_000;

/** What a site's robots.txt says. */
export interface RobotRules {
  isAllowed(url: string): boolean;
  /** Milliseconds that the site wants between two requests. */
  crawlDelayMs: number;
  /** Addresses of the site's sitemaps. */
  sitemaps: string[];
  /** Why nothing is allowed, where the rules could not be had. */
  problem?: string;
}

interface Robot {
  isAllowed(url: string, agent?: string): boolean | undefined;
  getCrawlDelay(agent?: string): number | undefined;
  getSitemaps(): string[];
}

/**
 * Fetches and reads the robots.txt of a URL's site: 4xx allows everything; a server error, a refusal to be asked so
 * often and a network failure allow nothing (RFC 9309).
 */
export async function fetchRobotRules(client: GuardedClient, url: string, signal: AbortSignal): Promise<RobotRules> {
  const address = new URL("/robots.txt", url).href;
  const { status, body } = await client.get(address, { signal, headers: { accept: "text/plain, */*;q=0.1" } });
  if (status >= 500 || status === 429) return refuseAll(`robots.txt answered HTTP ${status}`);
  if (status < 200 || status >= 300) return { isAllowed: () => true, crawlDelayMs: 0, sitemaps: [] };
  return await parseRobots(address, Buffer.from(body.subarray(0, MAX_ROBOTS_BYTES)).toString("utf8"));
}

/** The rules of one robots.txt. */
export async function parseRobots(address: string, text: string): Promise<RobotRules> {
  const module: unknown = (await import("robots-parser")).default;
  const parse = module as (url: string, text: string) => Robot;
  const robot = parse(address, text);
  const delay = robot.getCrawlDelay(PRODUCT_TOKEN) ?? 0;
  return {
    isAllowed: (url) => robot.isAllowed(onSite(url, address), PRODUCT_TOKEN) ?? true,
    crawlDelayMs: Math.min(Math.max(0, delay * 1000), MAX_CRAWL_DELAY_MS),
    sitemaps: robot.getSitemaps().filter((sitemap) => URL.canParse(sitemap)),
  };
}

/** The parser takes its rules to say nothing of https where the file came from http; a site's are the same for both. */
function onSite(url: string, address: string): string {
  const { pathname, search } = new URL(url);
  return Object.assign(new URL(address), { pathname, search }).href;
}

function refuseAll(problem: string): RobotRules {
  return { isAllowed: () => false, crawlDelayMs: 0, sitemaps: [], problem };
}
