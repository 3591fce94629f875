import { z } from "zod";
import { HypoError } from "../../domain/errors.ts";
import type { SearchHit, SearchRequest } from "../../domain/ports.ts";
import type { ExchangeResponse } from "../exchange.ts";
import { findStatusError, readRetryAfter } from "../http-errors.ts";
import type { OperatorClient } from "../operator-client.ts";
import { findDoi } from "../store/identifiers.ts";
import { parseAnswer } from "./parse-answer.ts";
import { toSnippet, type SearchProvider } from "./provider.ts";
import { RateLimited } from "./rests.ts";

/**
 * SearXNG leaves unknown values out, sends null or an empty string. In `publishedDate` it sends an ISO date, while searx,
 * its parent, sends words for people ("Jan 1, 2021") and the date in `pubdate`.
 */
const Optional = z.string().nullish().catch(undefined);
const Result = z.object({
  url: z.url({ protocol: /^https?$/ }),
  title: Optional,
  content: Optional,
  publishedDate: Optional,
  pubdate: Optional,
  journal: Optional,
  pdf_url: Optional,
  doi: Optional,
  authors: z
    .union([z.array(z.string()), z.string()])
    .nullish()
    .catch(undefined),
});
/** Engines that find no pages, such as calculators, give results without an address: those are no hits. */
const Answer = z.object({
  results: z.array(z.unknown()).transform((results) => results.flatMap((each) => Result.safeParse(each).data ?? [])),
  unresponsive_engines: z.array(z.tuple([z.string(), z.string()], z.unknown())).default([]),
});

const Refusal = z.object({ error: z.string() });

const CATEGORY: Record<SearchRequest["kind"], string> = { web: "general", papers: "science", encyclopedia: "general" };

/**
 * Headers that the server's limiter takes for a browser's: without any of them it answers 429 even below its limits
 * (SearXNG botdetection).
 */
const HEADERS = { accept: "application/json, text/html", "accept-language": "en", "user-agent": "Mozilla/5.0 (compatible; hypo)" };

/** The operator's SearXNG, over its JSON API. */
export function createSearxng(client: OperatorClient, now: () => Date): SearchProvider {
  return {
    name: "searxng",
    kinds: ["web", "papers", "encyclopedia"],
    narrows: ["language", "time_range"],
    pace: { concurrency: 2, intervalMs: 0 },
    async search({ query, kind, limit, page = 1, language, time_range: range, signal }) {
      const parameters = new URLSearchParams({
        q: query,
        format: "json",
        categories: CATEGORY[kind],
        ...(language === undefined ? {} : { language }),
        ...(page === 1 ? {} : { pageno: String(page) }),
        ...(range === undefined ? {} : { time_range: range }),
      });
      const response = await client.send({ path: `/search?${parameters.toString()}`, signal, headers: HEADERS });
      throwRefusal(response, now());
      const { results, unresponsive_engines: silent } = parseAnswer("SearXNG", Buffer.from(response.body).toString("utf8"), Answer);
      return {
        hits: results.slice(0, limit).map(toHit),
        warnings: silent.map(([engine, message]) => `SearXNG: the engine ${engine} did not respond (${message}).`),
      };
    },
  };
}

function toHit(result: z.infer<typeof Result>): SearchHit {
  const authors = typeof result.authors === "string" ? [result.authors] : (result.authors ?? []);
  return {
    url: result.url,
    title: result.title || result.url,
    snippet: toSnippet(result.content),
    provider: "searxng",
    published: dayIn(result.publishedDate) ?? dayIn(result.pubdate) ?? (result.publishedDate || undefined),
    journal: result.journal || undefined,
    doi: findDoi(result.doi ?? "") ?? findDoi(result.url),
    pdf_url: result.pdf_url || undefined,
    ...(authors.length === 0 ? {} : { authors }),
  };
}

function dayIn(date: string | null | undefined): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(date ?? "")?.[0];
}

function throwRefusal({ status, headers, body }: ExchangeResponse, now: Date): void {
  if (status === 403) {
    throw new HypoError("http_error", "SearXNG does not serve JSON (HTTP 403).", {
      hint: "Add json to search.formats in the settings.yml of your SearXNG, then restart it.",
    });
  }
  if (status === 429) {
    throw new RateLimited(
      "The limiter of SearXNG refuses more searches (HTTP 429).",
      readRetryAfter(headers["retry-after"], now),
      "It grants 4 JSON searches an hour: put this machine into botdetection.ip_lists.pass_ip of its limiter.toml, or set server.limiter: false.",
    );
  }
  if (status === 400) {
    throw new HypoError("http_error", `SearXNG refuses the search: ${readRefusal(body)}.`, { hint: "Ask for something else." });
  }
  const error = findStatusError("SearXNG", status, readRetryAfter(headers["retry-after"], now));
  if (error !== undefined) throw error;
}

/** What an instance says of a value that it does not take. */
function readRefusal(body: Uint8Array): string {
  try {
    return Refusal.parse(JSON.parse(Buffer.from(body).toString("utf8"))).error;
  } catch {
    return "HTTP 400";
  }
}
