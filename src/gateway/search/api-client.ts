import type { GuardedClient } from "../guarded-client.ts";
import { findStatusError, readRetryAfter } from "../http-errors.ts";
import type { ApiClient } from "./provider.ts";
import { RateLimited } from "./rests.ts";

/** Largest answer of a search API. */
const MAX_ANSWER_BYTES = 10_000_000;

/** Search APIs over the guarded client; their refusals say when to come back. */
export function createApiClient(client: GuardedClient, now: () => Date): ApiClient {
  return {
    async getText(url, signal) {
      const { status, headers, body } = await client.get(url.href, {
        signal,
        headers: { accept: "application/json, application/atom+xml, */*;q=0.1" },
        maxBytes: MAX_ANSWER_BYTES,
      });
      const retryAfterMs = readRetryAfter(headers["retry-after"], now());
      const exhausted = headers["x-ratelimit-remaining"] === "0";
      if (status === 429)
        throw new RateLimited(
          `${url.host} refuses more searches (HTTP 429).`,
          retryAfterMs ?? (exhausted ? untilMidnight(now()) : undefined),
        );
      // An error of an API is about the search, not about a document.
      const error = findStatusError(`The search of ${url.host}`, status, retryAfterMs);
      if (error !== undefined) throw error;
      return Buffer.from(body).toString("utf8");
    },
  };
}

/** Daily credit is renewed at midnight UTC. */
function untilMidnight(now: Date): number {
  return 86_400_000 - (now.getTime() % 86_400_000);
}
