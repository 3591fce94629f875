import type { Clock } from "../../domain/ports.ts";
import type { Retrieval } from "../../domain/source.ts";
import { sniffMedia } from "../extract/media-type.ts";
import type { Admit, GuardedClient, GuardedResponse } from "../guarded-client.ts";
import { findStatusError, readRetryAfter } from "../http-errors.ts";
import type { FetchedPage, PageSource, Validators } from "./page-source.ts";

const ACCEPT =
  "text/html, application/xhtml+xml, application/pdf;q=0.9, text/*;q=0.9, application/json;q=0.8, application/xml;q=0.8, */*;q=0.5";

/** The web through the guarded client. */
export function createWebSource(client: GuardedClient, clock: Clock): PageSource {
  async function ask(url: string, conditions: Record<string, string>, signal: AbortSignal, admit?: Admit): Promise<GuardedResponse> {
    const headers = { accept: ACCEPT, "accept-language": "en, *;q=0.5", ...conditions };
    return await client.get(url, { signal, headers, admit });
  }

  function readDocument(url: string, response: GuardedResponse): FetchedPage {
    const problem = findStatusError(url, response.status, readRetryAfter(response.headers["retry-after"], clock.now()));
    if (problem !== undefined) throw problem;
    const media = sniffMedia(response.headers["content-type"], response.body, response.finalUrl);
    return { ...media, bytes: response.body, retrieval: describeRetrieval(url, response, clock.now(), {}) };
  }

  return {
    fetch: async (url, signal, admit) => readDocument(url, await ask(url, {}, signal, admit)),
    async revalidate(url, validators, signal, admit) {
      const response = await ask(url, conditionsOf(validators), signal, admit);
      if (response.status === 304) return { unchanged: describeRetrieval(url, response, clock.now(), validators) };
      return readDocument(url, response);
    },
  };
}

function conditionsOf({ etag, last_modified: modified }: Validators): Record<string, string> {
  return {
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(modified === undefined ? {} : { "if-modified-since": modified }),
  };
}

/** A 304 may leave validators out that go on to hold. */
function describeRetrieval(url: string, response: GuardedResponse, now: Date, before: Validators): Retrieval {
  const etag = response.headers["etag"] ?? before.etag;
  const modified = response.headers["last-modified"] ?? before.last_modified;
  return {
    url,
    final_url: response.finalUrl,
    retrieved_at: now.toISOString(),
    status: response.status,
    backend: "direct",
    ...(etag === undefined ? {} : { etag }),
    ...(modified === undefined ? {} : { last_modified: modified }),
    ...(response.allowedHost === undefined ? {} : { allowed_host: response.allowedHost }),
  };
}
