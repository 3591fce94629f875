import { z } from "zod";
import { cutPage, offsetOf, primaryLanguageOf } from "./narrowing.ts";
import { parseAnswer } from "./parse-answer.ts";
import { toSnippet, type ApiClient, type SearchProvider } from "./provider.ts";

const Answer = z.object({
  pages: z.array(z.object({ key: z.string(), title: z.string(), excerpt: z.string().nullish(), description: z.string().nullish() })),
});

/** Most results of one request. */
const MAX_RESULTS = 100;

/**
 * Wikipedia's REST search, in English or in the edition of the wanted language; its User-Agent policy wants a contact.
 * It always begins at the first result, so all up to the wanted page are asked for.
 */
export function createWikipedia(api: ApiClient, english: string): SearchProvider {
  return {
    name: "wikipedia",
    kinds: ["encyclopedia", "web"],
    narrows: ["language"],
    pace: { concurrency: 1, intervalMs: 100 },
    async search(request) {
      const base = english.replace("://en.", `://${primaryLanguageOf(request) ?? "en"}.`);
      const limit = String(Math.min(offsetOf(request) + request.limit, MAX_RESULTS));
      const url = new URL(`${base}/w/rest.php/v1/search/page`);
      url.search = new URLSearchParams({ q: request.query, limit }).toString();
      const { pages } = parseAnswer("Wikipedia", await api.getText(url, request.signal), Answer);
      const hits = pages.map(({ key, title, excerpt, description }) => ({
        url: `${base}/wiki/${encodeURIComponent(key).replaceAll("%3A", ":").replaceAll("%2F", "/")}`,
        title,
        snippet: [description, toSnippet(excerpt)].filter((part) => part).join(" — "),
        provider: "wikipedia",
      }));
      return { hits: cutPage(hits, request), warnings: [] };
    },
  };
}
