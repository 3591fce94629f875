import type { GuardedClient } from "../guarded-client.ts";
import { findStatusError, LONGEST_WAIT_MS, readRetryAfter } from "../http-errors.ts";
import type { ApiClient } from "./provider.ts";
import { RateLimited } from "./rests.ts";

/** Largest answer of a search API. */
const MAX_ANSWER_BYTES = 10_000_000;

/**
 * Search APIs over the guarded client. Their refusals say when to come back; one whose daily credit an answer reports as
 * used up is not asked again until it is renewed.
 */
export function createApiClient(client: GuardedClient, now: () => Date): ApiClient {
  /** When the credit of a host is renewed, in milliseconds of the epoch. */
  const renewals = new Map<string, number>();

  return {
    async getText(url, signal) {
      const renewal = (renewals.get(url.host) ?? 0) - now().getTime();
      if (renewal > 0) throw new RateLimited(`The credit of ${url.host} is used up.`, renewal);
      const { status, headers, body } = await client.get(url.href, {
        signal,
        headers: { accept: "application/json, application/atom+xml, */*;q=0.1" },
        maxBytes: MAX_ANSWER_BYTES,
      });
      const retryAfterMs = readRetryAfter(headers["retry-after"], now());
      const renewedInMs = findExhaustion(headers, now());
      if (renewedInMs !== undefined) renewals.set(url.host, now().getTime() + renewedInMs);
      if (status === 429) throw new RateLimited(`${url.host} refuses more searches (HTTP 429).`, retryAfterMs ?? renewedInMs);
      if (status === 503 && retryAfterMs !== undefined) {
        throw new RateLimited(`${url.host} has no time for searches (HTTP 503).`, retryAfterMs);
      }
      // An error of an API is about the search, not about a document.
      const error = findStatusError(`The search of ${url.host}`, status, retryAfterMs);
      if (error !== undefined) throw error;
      return Buffer.from(body).toString("utf8");
    },
  };
}

/**
 * Milliseconds, a day at most, until used-up credit is renewed; undefined while some is left. Without a time given, that
 * is midnight UTC.
 */
function findExhaustion(headers: Record<string, string>, now: Date): number | undefined {
  const remaining = headers["x-ratelimit-remaining"]?.trim() ?? "";
  if (!/^-?[\d.]+$/.test(remaining) || Number(remaining) > 0) return undefined;
  const reset = Number(headers["x-ratelimit-reset"]);
  if (Number.isFinite(reset) && reset > 0) return Math.min(untilReset(reset, now), LONGEST_WAIT_MS);
  return 86_400_000 - (now.getTime() % 86_400_000);
}

/** Seconds from now, or a time since the epoch in seconds or milliseconds: no credit lasts for years. */
function untilReset(reset: number, now: Date): number {
  if (reset <= 1e9) return reset * 1000;
  return Math.max(0, (reset > 1e12 ? reset : reset * 1000) - now.getTime());
}
