import { z } from "zod";
import type { SearchHit } from "../../domain/ports.ts";
import { firstDayOf, offsetOf } from "./narrowing.ts";
import { parseAnswer } from "./parse-answer.ts";
import { toSnippet, type ApiClient, type SearchProvider } from "./provider.ts";

const Answer = z.object({
  message: z.object({
    items: z.array(
      z.object({
        DOI: z.string(),
        URL: z.string().nullish(),
        title: z.array(z.string()).default([]),
        "container-title": z.array(z.string()).default([]),
        abstract: z.string().nullish(),
        author: z.array(z.object({ given: z.string().nullish(), family: z.string().nullish(), name: z.string().nullish() })).default([]),
        issued: z.object({ "date-parts": z.array(z.array(z.number().nullable())) }).nullish(),
      }),
    ),
  }),
});
type Item = z.infer<typeof Answer>["message"]["items"][number];

/** Crossref: titles are lists, abstracts are JATS; three list requests a second, better served with a mail address. */
export function createCrossref(
  api: ApiClient,
  { base, contact, now }: { base: string; contact: string | undefined; now: () => Date },
): SearchProvider {
  return {
    name: "crossref",
    kinds: ["papers", "web"],
    narrows: ["time_range"],
    pace: { concurrency: 1, intervalMs: 350 },
    async search(request) {
      const { query, limit, signal } = request;
      const first = firstDayOf(request, now());
      const offset = offsetOf(request);
      const url = new URL(`${base}/works`);
      url.search = new URLSearchParams({
        "query.bibliographic": query,
        rows: String(Math.min(limit, 100)),
        ...(offset === 0 ? {} : { offset: String(offset) }),
        ...(first === undefined ? {} : { filter: `from-pub-date:${first}` }),
        select: "DOI,URL,title,container-title,abstract,author,issued",
        ...(contact?.includes("@") === true ? { mailto: contact } : {}),
      }).toString();
      const { message } = parseAnswer("Crossref", await api.getText(url, signal), Answer);
      return { hits: message.items.map(toHit), warnings: [] };
    },
  };
}

function toHit(item: Item): SearchHit {
  const authors = item.author.map(({ given, family, name }) => name ?? [given, family].filter((part) => part).join(" "));
  const [date] = item.issued?.["date-parts"] ?? [];
  return {
    url: item.URL ?? `https://doi.org/${item.DOI}`,
    title: toSnippet(item.title[0] ?? "Untitled"),
    snippet: toSnippet(item.abstract),
    provider: "crossref",
    authors: authors.filter((author) => author !== ""),
    published: readDate(date ?? []),
    journal: item["container-title"][0],
    doi: item.DOI.toLowerCase(),
  };
}

function readDate(parts: (number | null)[]): string | undefined {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? undefined : known.map((part) => String(part).padStart(2, "0")).join("-");
}
