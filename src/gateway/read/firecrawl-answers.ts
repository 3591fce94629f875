import { z } from "zod";
import { HypoError } from "../../domain/errors.ts";
import type { Clock } from "../../domain/ports.ts";
import { findStatusError } from "../http-errors.ts";
import type { FetchedPage } from "./page-source.ts";

/** How long a page may take inside Firecrawl, in milliseconds. */
const PAGE_TIMEOUT_MS = 45_000;

/**
 * What Firecrawl is asked for on each page: the raw HTML, so that extraction and metadata are ours; never a copy it
 * kept, never an unverified certificate, no other proxy.
 */
export const PAGE_OPTIONS = {
  formats: ["rawHtml"],
  onlyMainContent: false,
  timeout: PAGE_TIMEOUT_MS,
  maxAge: 0,
  storeInCache: false,
  skipTlsVerification: false,
  proxy: "basic",
};

export const FirecrawlPage = z.object({
  /** Missing where Firecrawl has no HTML of it, as of a PDF. */
  rawHtml: z.string().nullish(),
  metadata: z.object({
    url: z.string().nullish(),
    sourceURL: z.string().nullish(),
    statusCode: z.int().nullish(),
    error: z.string().nullish(),
  }),
});
export type FirecrawlPage = z.infer<typeof FirecrawlPage>;
const Failure = z.object({ error: z.string() });

/**
 * An answer of Firecrawl, checked.
 *
 * @throws HypoError with what Firecrawl says went wrong.
 */
export function readAnswer<T>(status: number, body: Uint8Array, shape: z.ZodType<T>): T {
  const answer = parseJson(Buffer.from(body).toString("utf8"));
  const parsed = shape.safeParse(answer);
  if (parsed.success) return parsed.data;
  const said = Failure.safeParse(answer).data?.error ?? "no readable answer";
  throw new HypoError(
    status === 429 ? "rate_limited" : status === 408 ? "timeout" : "http_error",
    `Firecrawl failed (HTTP ${status}): ${said}.`,
    { hint: "Look at your Firecrawl server (read.firecrawl_url)." },
  );
}

/**
 * A page as Firecrawl rendered it.
 *
 * @throws HypoError for a page whose own status, inside Firecrawl's 200, is no success.
 */
export function toFetchedPage(url: string, { rawHtml, metadata }: FirecrawlPage, clock: Clock): FetchedPage {
  const status = metadata.statusCode ?? 200;
  const problem = findStatusError(url, status, undefined);
  if (problem !== undefined) throw problem;
  if (rawHtml === undefined || rawHtml === null) {
    const said = metadata.error ?? "it gives no HTML";
    throw new HypoError("http_error", `Firecrawl could not read ${url}: ${said}.`, { hint: "Read it directly, or another source." });
  }
  const final = metadata.url ?? metadata.sourceURL ?? url;
  return {
    bytes: Buffer.from(rawHtml, "utf8"),
    mime: "text/html;charset=utf-8",
    kind: "html",
    retrieval: {
      url,
      final_url: URL.canParse(final) ? final : url,
      retrieved_at: clock.now().toISOString(),
      status,
      backend: "firecrawl",
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
