import { z } from "zod";
import type { SearchHit, SearchRequest } from "../../domain/ports.ts";
import { cutPage, dayOf, firstDayOf, offsetOf } from "./narrowing.ts";
import { parseAnswer } from "./parse-answer.ts";
import { toSnippet, type ApiClient, type SearchProvider } from "./provider.ts";

const Answer = z.object({
  resultList: z.object({
    result: z.array(
      z.object({
        id: z.string(),
        source: z.string(),
        doi: z.string().nullish(),
        title: z.string().nullish(),
        abstractText: z.string().nullish(),
        authorString: z.string().nullish(),
        firstPublicationDate: z.string().nullish(),
        journalInfo: z.object({ journal: z.object({ title: z.string().nullish() }).nullish() }).nullish(),
        pubTypeList: z.object({ pubType: z.array(z.string()) }).nullish(),
      }),
    ),
  }),
});

/** Most results of one request. */
const MAX_RESULTS = 1_000;

/** Europe PMC: life sciences, with abstracts. Its pages are reached by cursors alone, so all up to the wanted one are asked for. */
export function createEuropePmc(api: ApiClient, { base, now }: { base: string; now: () => Date }): SearchProvider {
  return {
    name: "europepmc",
    kinds: ["papers"],
    narrows: ["time_range"],
    pace: { concurrency: 1, intervalMs: 200 },
    async search(request) {
      const pageSize = String(Math.min(offsetOf(request) + request.limit, MAX_RESULTS));
      const url = new URL(`${base}/europepmc/webservices/rest/search`);
      url.search = new URLSearchParams({ query: toQuery(request, now()), format: "json", resultType: "core", pageSize }).toString();
      const { resultList } = parseAnswer("Europe PMC", await api.getText(url, request.signal), Answer);
      return { hits: cutPage(resultList.result.map(toHit), request), warnings: [] };
    },
  };
}

function toQuery(request: SearchRequest, now: Date): string {
  const first = firstDayOf(request, now);
  return first === undefined ? request.query : `(${request.query}) AND FIRST_PDATE:[${first} TO ${dayOf(now)}]`;
}

function toHit(result: z.infer<typeof Answer>["resultList"]["result"][number]): SearchHit {
  return {
    url: `https://europepmc.org/article/${result.source}/${result.id}`,
    title: toSnippet(result.title ?? "Untitled"),
    snippet: toSnippet(result.abstractText),
    provider: "europepmc",
    authors: (result.authorString ?? "")
      .replace(/\.$/, "")
      .split(", ")
      .filter((author) => author !== ""),
    published: result.firstPublicationDate ?? undefined,
    journal: result.journalInfo?.journal?.title ?? undefined,
    doi: result.doi?.toLowerCase(),
    retracted: result.pubTypeList?.pubType.some((type) => /^retracted publication$/i.test(type)) === true ? true : undefined,
  };
}
