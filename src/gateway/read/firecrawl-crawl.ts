import { z } from "zod";
import { HypoError, messageOf } from "../../domain/errors.ts";
import type { Clock, CrawlAnswer, CrawlRequest, ReadDocument } from "../../domain/ports.ts";
import { cancelled } from "../deadline.ts";
import type { OperatorClient } from "../operator-client.ts";
import { FirecrawlPage, PAGE_OPTIONS, readAnswer, toFetchedPage } from "./firecrawl-answers.ts";
import type { FetchedPage } from "./page-source.ts";
import type { RobotRules } from "./robots.ts";

const POLL_MS = 2_000;
/** Longest time of one job. */
const JOB_MS = 600_000;
/** Longest wait for a job to be cancelled. */
const CANCEL_MS = 5_000;
/** Pages that one job may bring, whatever is asked for: Firecrawl's own default is 10,000. */
const MAX_PAGES = 200;
const MAX_DEPTH = 5;

const Started = z.object({ success: z.literal(true), id: z.string().regex(/^[\w-]{1,100}$/) });
const Progress = z.object({
  status: z.enum(["scraping", "completed", "failed", "cancelled"]),
  data: z.array(FirecrawlPage).default([]),
  next: z.string().nullish(),
});

export interface FirecrawlCrawlOptions {
  client: OperatorClient;
  clock: Clock;
  rules: RobotRules;
  keep: (page: FetchedPage) => Promise<ReadDocument>;
}

/**
 * Has the operator's Firecrawl crawl a site whose pages scripts fill: a job is started, asked after every two seconds,
 * and cancelled when the caller stops, the job fails or takes over ten minutes. The caller checks the URL first; pages of
 * other hosts and pages that robots.txt disallows are left out, whatever Firecrawl brought.
 */
export async function crawlByFirecrawl(request: CrawlRequest, options: FirecrawlCrawlOptions): Promise<CrawlAnswer> {
  const { client, clock } = options;
  const { signal } = request;
  const limit = Math.min(request.pages, MAX_PAGES);
  const json = {
    url: request.url,
    limit,
    maxDiscoveryDepth: Math.min(request.depth, MAX_DEPTH),
    allowExternalLinks: false,
    scrapeOptions: PAGE_OPTIONS,
  };
  const { status, body } = await client.send({ path: "/v2/crawl", signal, json });
  const { id } = readAnswer(status, body, Started);
  try {
    await waitForJob(client, clock, id, signal);
  } catch (error) {
    await cancelJob(client, id);
    if (signal.aborted) throw cancelled(request.url, signal);
    throw error;
  }
  return await keepPages(request, options, await collectPages(client, id, limit, signal));
}

async function waitForJob(client: OperatorClient, clock: Clock, id: string, signal: AbortSignal): Promise<void> {
  const started = clock.monotonic();
  for (;;) {
    const { status } = await askJob(client, id, 0, signal);
    if (status === "completed") return;
    if (status !== "scraping") throw jobEnded(`The crawl job of Firecrawl ${status === "failed" ? "failed" : "was cancelled"}.`);
    if (clock.monotonic() - started > JOB_MS) throw jobEnded(`The crawl job of Firecrawl took over ${JOB_MS / 60_000} minutes.`);
    await clock.sleep(POLL_MS, signal);
  }
}

/** Results come in parts; of the address of the next one only its `skip` is used, for it may name another host. */
async function collectPages(client: OperatorClient, id: string, limit: number, signal: AbortSignal): Promise<FirecrawlPage[]> {
  const pages: FirecrawlPage[] = [];
  for (let skip = 0; pages.length < limit;) {
    const { data, next } = await askJob(client, id, skip, signal);
    pages.push(...data);
    const following = Number(URL.parse(next ?? "", "http://firecrawl.invalid")?.searchParams.get("skip"));
    if (next === null || next === undefined || data.length === 0 || !Number.isSafeInteger(following) || following <= skip) break;
    skip = following;
  }
  return pages.slice(0, limit);
}

async function askJob(client: OperatorClient, id: string, skip: number, signal: AbortSignal): Promise<z.infer<typeof Progress>> {
  const { status, body } = await client.send({ path: `/v2/crawl/${id}${skip === 0 ? "" : `?skip=${skip}`}`, signal });
  return readAnswer(status, body, Progress);
}

/** The caller's own signal has ended already; a server that does not hear this ends the job by its own limits. */
async function cancelJob(client: OperatorClient, id: string): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_MS);
  await client.send({ path: `/v2/crawl/${id}`, method: "DELETE", signal }).catch(() => undefined);
}

async function keepPages(
  request: CrawlRequest,
  { clock, rules, keep }: FirecrawlCrawlOptions,
  pages: FirecrawlPage[],
): Promise<CrawlAnswer> {
  const { host } = new URL(request.url);
  const answer: CrawlAnswer = { documents: [], skipped: [] };
  for (const page of pages) {
    const asked = page.metadata.sourceURL ?? page.metadata.url ?? request.url;
    const final = page.metadata.url ?? asked;
    const reason = [asked, final].some((url) => URL.parse(url)?.host !== host)
      ? "it is on another host"
      : rules.isAllowed(final)
        ? undefined
        : "robots.txt disallows it";
    try {
      if (reason === undefined) answer.documents.push(await keep(toFetchedPage(asked, page, clock)));
      else answer.skipped.push({ url: asked, reason });
    } catch (error) {
      if (request.signal.aborted) throw error;
      answer.skipped.push({ url: asked, reason: messageOf(error) });
    }
  }
  return answer;
}

function jobEnded(message: string): HypoError {
  return new HypoError("http_error", message, { hint: "Look at your Firecrawl server (read.firecrawl_url), or read single pages." });
}
