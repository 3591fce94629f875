import { z } from "zod";
import { HypoError } from "../../domain/errors.ts";
import type { Clock } from "../../domain/ports.ts";
import { findStatusError } from "../http-errors.ts";
import type { OperatorClient } from "../operator-client.ts";
import type { PageSource } from "./page-source.ts";

/** How long a page may take inside Firecrawl, in milliseconds. */
const PAGE_TIMEOUT_MS = 45_000;

const Scrape = z.object({
  success: z.literal(true),
  data: z.object({
    rawHtml: z.string(),
    metadata: z.object({
      url: z.string().nullish(),
      sourceURL: z.string().nullish(),
      statusCode: z.int().nullish(),
      error: z.string().nullish(),
    }),
  }),
});
const Failure = z.object({ error: z.string() });

/**
 * The operator's Firecrawl (v2) as a source of rendered pages. It is asked for the raw HTML, so that extraction and
 * metadata are ours, and never for a copy it kept. The caller checks the URL against the address policy first:
 * Firecrawl's own filter has holes.
 */
export function createFirecrawl(client: OperatorClient, clock: Clock): PageSource {
  return {
    async fetch(url, signal) {
      const json = {
        url,
        formats: ["rawHtml"],
        onlyMainContent: false,
        timeout: PAGE_TIMEOUT_MS,
        maxAge: 0,
        storeInCache: false,
        skipTlsVerification: false,
        proxy: "basic",
      };
      const { status, body } = await client.send({ path: "/v2/scrape", signal, json });
      const { rawHtml, metadata } = readScrape(status, Buffer.from(body).toString("utf8"));
      const pageStatus = metadata.statusCode ?? 200;
      // Firecrawl answers 200 with the target's own status inside.
      const problem = findStatusError(url, pageStatus, undefined);
      if (problem !== undefined) throw problem;
      const final = metadata.url ?? metadata.sourceURL ?? url;
      const at = { url, final_url: URL.canParse(final) ? final : url, retrieved_at: clock.now().toISOString() };
      return {
        bytes: Buffer.from(rawHtml, "utf8"),
        mime: "text/html;charset=utf-8",
        kind: "html",
        retrieval: { ...at, status: pageStatus, backend: "firecrawl" },
      };
    },
  };
}

function readScrape(status: number, body: string): z.infer<typeof Scrape>["data"] {
  const answer = parseJson(body);
  const scrape = Scrape.safeParse(answer);
  if (scrape.success) return scrape.data.data;
  const said = Failure.safeParse(answer).data?.error ?? "no readable answer";
  throw new HypoError(
    status === 429 ? "rate_limited" : status === 408 ? "timeout" : "http_error",
    `Firecrawl failed (HTTP ${status}): ${said}.`,
    {
      hint: "Look at your Firecrawl server (read.firecrawl_url).",
    },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
