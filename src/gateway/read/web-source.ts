import type { Clock } from "../../domain/ports.ts";
import { parseTarget } from "../address-policy.ts";
import { sniffMedia } from "../extract/media-type.ts";
import type { GuardedClient } from "../guarded-client.ts";
import { findStatusError, readRetryAfter } from "../http-errors.ts";
import type { Pace, PoliteQueue } from "../politeness.ts";
import type { PageSource } from "./page-source.ts";

/** Requests at once to one host. */
const HOST_PACE: Pace = { concurrency: 2, intervalMs: 0 };

const ACCEPT =
  "text/html, application/xhtml+xml, application/pdf;q=0.9, text/*;q=0.9, application/json;q=0.8, application/xml;q=0.8, */*;q=0.5";

/** The web through the guarded client, two requests at once for each host. */
export function createWebSource(client: GuardedClient, queue: PoliteQueue, clock: Clock): PageSource {
  return {
    async fetch(url, signal) {
      const { host } = parseTarget(url);
      const headers = { accept: ACCEPT, "accept-language": "en, *;q=0.5" };
      const response = await queue.run(`read:${host}`, HOST_PACE, signal, () => client.get(url, { signal, headers }));
      const problem = findStatusError(url, response.status, readRetryAfter(response.headers["retry-after"], clock.now()));
      if (problem !== undefined) throw problem;
      const { etag, "last-modified": modified, "content-type": contentType } = response.headers;
      const media = sniffMedia(contentType, response.body, response.finalUrl);
      return {
        ...media,
        bytes: response.body,
        retrieval: {
          url,
          final_url: response.finalUrl,
          retrieved_at: clock.now().toISOString(),
          status: response.status,
          backend: "direct",
          ...(etag === undefined ? {} : { etag }),
          ...(modified === undefined ? {} : { last_modified: modified }),
          ...(response.allowedHost === undefined ? {} : { allowed_host: response.allowedHost }),
        },
      };
    },
  };
}
