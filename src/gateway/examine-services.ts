import { z } from "zod";
import { HypoError } from "../domain/errors.ts";
import type { ExchangeLimits } from "./exchange.ts";
import { createOperatorClient, type OperatorClient } from "./operator-client.ts";
import { createSearxng } from "./search/searxng.ts";

/** Bounds of one question to a server of the person's own. */
const LIMITS: ExchangeLimits = { maxBytes: 2_000_000, firstByteMs: 8000, totalMs: 10_000, idleMs: 5000 };

const Refusal = z.object({ success: z.literal(false) });
const Failure = z.object({ error: z.unknown() });

/**
 * Searches once. Gives the warnings of the search, such as engines that did not respond.
 *
 * @throws HypoError that says why SearXNG cannot be used.
 */
export async function examineSearxng(url: string, now: () => Date, signal: AbortSignal): Promise<string[]> {
  return ask(url, "search.searxng_url", async (client) => {
    const searxng = createSearxng(client, now);
    const { warnings } = await searxng.search({ query: "wikipedia", kind: "web", limit: 1, signal });
    return warnings;
  });
}

/** Sends Firecrawl a request it must refuse: nothing is fetched. Throws where what answers is no Firecrawl v2. */
export async function examineFirecrawl(url: string, signal: AbortSignal): Promise<void> {
  await ask(url, "read.firecrawl_url", async (client) => {
    const { status, body } = await client.send({ path: "/v2/scrape", signal, json: {} });
    if (status < 500 && Refusal.safeParse(parseJson(body)).success && status !== 401) return;
    throw strange("Firecrawl (v2)", "read.firecrawl_url", status);
  });
}

/** The same for the browser adapter. */
export async function examineBrowser(url: string, signal: AbortSignal): Promise<void> {
  await ask(url, "read.browser_url", async (client) => {
    const { status, body } = await client.send({ path: "/browse", signal, json: {} });
    if (status !== 404 && status !== 401 && Failure.safeParse(parseJson(body)).success) return;
    throw strange("a browser adapter", "read.browser_url", status);
  });
}

async function ask<T>(url: string, setting: string, question: (client: OperatorClient) => Promise<T>): Promise<T> {
  const client = createOperatorClient(url, setting, LIMITS);
  try {
    return await question(client);
  } finally {
    await client.close();
  }
}

function strange(what: string, setting: string, status: number): HypoError {
  return new HypoError("http_error", `What answers at ${setting} is not ${what}: HTTP ${status}.`, {
    hint: `Look at the server, or set ${setting} to the right address.`,
  });
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return undefined;
  }
}
