import { z } from "zod";
import { parseAnswer } from "./parse-answer.ts";
import { toSnippet, type ApiClient, type SearchProvider } from "./provider.ts";

const Answer = z.object({
  pages: z.array(z.object({ key: z.string(), title: z.string(), excerpt: z.string().nullish(), description: z.string().nullish() })),
});

/** English Wikipedia's REST search; its User-Agent policy wants a contact. */
export function createWikipedia(api: ApiClient, base: string): SearchProvider {
  return {
    name: "wikipedia",
    kinds: ["encyclopedia", "web"],
    pace: { concurrency: 1, intervalMs: 100 },
    async search({ query, limit, signal }) {
      const url = new URL(`${base}/w/rest.php/v1/search/page`);
      url.search = new URLSearchParams({ q: query, limit: String(Math.min(limit, 100)) }).toString();
      const { pages } = parseAnswer("Wikipedia", await api.getText(url, signal), Answer);
      const hits = pages.map(({ key, title, excerpt, description }) => ({
        url: `${base}/wiki/${encodeURIComponent(key).replaceAll("%3A", ":").replaceAll("%2F", "/")}`,
        title,
        snippet: [description, toSnippet(excerpt)].filter((part) => part).join(" — "),
        provider: "wikipedia",
      }));
      return { hits, warnings: [] };
    },
  };
}
