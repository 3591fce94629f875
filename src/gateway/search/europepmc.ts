import { z } from "zod";
import type { SearchHit } from "../../domain/ports.ts";
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
        pubTypeList: z.object({ pubType: z.array(z.string()) }).nullish(),
      }),
    ),
  }),
});

/** Europe PMC: life sciences, with abstracts. */
export function createEuropePmc(api: ApiClient, base: string): SearchProvider {
  return {
    name: "europepmc",
    kinds: ["papers"],
    pace: { concurrency: 1, intervalMs: 200 },
    async search({ query, limit, signal }) {
      const url = new URL(`${base}/europepmc/webservices/rest/search`);
      url.search = new URLSearchParams({ query, format: "json", resultType: "core", pageSize: String(Math.min(limit, 100)) }).toString();
      const { resultList } = parseAnswer("Europe PMC", await api.getText(url, signal), Answer);
      return { hits: resultList.result.map(toHit), warnings: [] };
    },
  };
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
    doi: result.doi?.toLowerCase(),
    retracted: result.pubTypeList?.pubType.some((type) => /^retracted publication$/i.test(type)) === true ? true : undefined,
  };
}
