import { z } from "zod";
import type { Clock } from "../../domain/ports.ts";
import type { OperatorClient } from "../operator-client.ts";
import { delegate, type CheckAddress } from "./delegation.ts";
import { FirecrawlPage, PAGE_OPTIONS, readAnswer, toFetchedPage } from "./firecrawl-answers.ts";
import type { PageSource } from "./page-source.ts";

const Scrape = z.object({ success: z.literal(true), data: FirecrawlPage });

/** The operator's Firecrawl (v2) as a source of rendered pages. Addresses are checked here: its own filter has holes. */
export function createFirecrawl(client: OperatorClient, check: CheckAddress, clock: Clock): PageSource {
  return {
    fetch: (url, signal) =>
      delegate(url, check, async () => {
        const { status, body } = await client.send({ path: "/v2/scrape", signal, json: { url, ...PAGE_OPTIONS } });
        return toFetchedPage(url, readAnswer(status, body, Scrape).data, clock);
      }),
  };
}
