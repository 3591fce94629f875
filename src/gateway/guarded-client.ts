import type { Agent } from "undici";
import { HypoError } from "../domain/errors.ts";
import { admitUrl, parseAllowHosts, parseTarget } from "./address-policy.ts";
import type { Deadline } from "./deadline.ts";
import { exchange, isRedirect, MAX_HEADER_BYTES, withDeadline, type ExchangeLimits, type ExchangeResponse } from "./exchange.ts";
import { createPinnedConnector, resolveBySystem, type Resolve } from "./pinned-connector.ts";
import type { Pace, PoliteQueue } from "./politeness.ts";

const MAX_REDIRECTS = 5;
/** Requests at once to one host, whatever they are for. */
const HOST_PACE: Pace = { concurrency: 2, intervalMs: 0 };

export interface GuardedClientOptions {
  userAgent: string;
  /** gateway.allow_hosts. */
  allowHosts: readonly string[];
  limits: ExchangeLimits;
  /** Where requests wait for their host's turn; the time there is not counted. */
  queue: PoliteQueue;
  resolve?: Resolve | undefined;
}

/** Throws where an address is not to be asked for. */
export type Admit = (url: URL) => void;

interface GetOptions {
  signal: AbortSignal;
  headers?: Record<string, string>;
  /** A smaller bound than the client's. */
  maxBytes?: number;
  /** Called before each address is asked for, the first and those of redirects; what it throws ends the read. */
  admit?: Admit | undefined;
}

export interface GuardedResponse extends ExchangeResponse {
  /** Where redirects ended. */
  finalUrl: string;
  /** The entries of gateway.allow_hosts that let a hop through, if any did. */
  allowedHost: string | undefined;
}

/** HTTP for URLs that come from models and pages. */
export interface GuardedClient {
  /**
   * Fetches a URL, following at most 5 redirects, each checked like the first. Any HTTP status is a response.
   *
   * @throws HypoError `bad_url`, `blocked_address`, `too_many_redirects`, `too_large`, `timeout`, `tls_error`,
   * `network_error`, `unsupported_type`, or `refused` where the caller stopped it.
   */
  get(url: string, options: GetOptions): Promise<GuardedResponse>;
  close(): Promise<void>;
}

/** Cheap: undici is loaded with the first request. */
export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  const { userAgent, allowHosts, limits, queue, resolve = resolveBySystem } = options;
  const allowed = parseAllowHosts(allowHosts);
  let agent: Promise<Agent> | undefined;

  async function openAgent(): Promise<Agent> {
    const undici = await import("undici");
    const connect = createPinnedConnector({ resolve, allowed, timeoutMs: limits.firstByteMs, build: undici.buildConnector });
    return new undici.Agent({ connect, maxHeaderSize: MAX_HEADER_BYTES });
  }

  async function inTurn<T>(url: URL, deadline: Deadline, work: () => Promise<T>): Promise<T> {
    deadline.pause();
    return await queue.run(`host:${url.host.replace(/\.+(?=:|$)/, "")}`, HOST_PACE, deadline.signal, async () => {
      deadline.resume();
      return await work();
    });
  }

  async function follow(first: URL, options: GetOptions, bounds: ExchangeLimits, deadline: Deadline): Promise<GuardedResponse> {
    const dispatcher = await (agent ??= openAgent());
    const seen = new Set<string>();
    const entries = new Set<string>();
    let url = first;
    for (;;) {
      const allowance = admitUrl(url, allowed);
      if (allowance !== undefined) entries.add(allowance.entry);
      options.admit?.(url);
      seen.add(url.href);
      const request = { method: "GET", headers: { accept: "*/*", ...options.headers, "user-agent": userAgent } } as const;
      const response = await inTurn(url, deadline, () => exchange(dispatcher, url, request, bounds, deadline));
      const location = isRedirect(response.status) ? response.headers["location"] : undefined;
      if (location === undefined) {
        return { ...response, finalUrl: url.href, allowedHost: entries.size === 0 ? undefined : [...entries].join(", ") };
      }
      url = resolveRedirect(url, location, seen);
    }
  }

  return {
    async get(text, options) {
      const url = parseTarget(text);
      const bounds = { ...limits, maxBytes: Math.min(limits.maxBytes, options.maxBytes ?? limits.maxBytes) };
      return await withDeadline(url.href, bounds, options.signal, (deadline) => follow(url, options, bounds, deadline));
    },
    async close() {
      await (await agent)?.destroy();
      agent = undefined;
    },
  };
}

function resolveRedirect(from: URL, location: string, seen: ReadonlySet<string>): URL {
  const target = URL.parse(location, from.href);
  // What it says there is the site's own text, which has no place in a message to a model.
  if (target === null) throw new HypoError("bad_url", `${from.href} redirects to what is no URL.`, { hint: "Read another source." });
  const url = parseTarget(target.href);
  url.hash = "";
  if (seen.has(url.href)) {
    throw new HypoError("too_many_redirects", `${from.href} redirects in a circle.`, {
      hint: "The site probably wants cookies, which are never kept. Read another source.",
    });
  }
  if (seen.size > MAX_REDIRECTS) {
    throw new HypoError("too_many_redirects", `${[...seen][0] ?? from.href} redirects more than ${MAX_REDIRECTS} times.`, {
      hint: "Give the final address, or read another source.",
    });
  }
  return url;
}
