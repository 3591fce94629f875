import { z } from "zod";
import type { SearchHit } from "../../domain/ports.ts";
import { parseAnswer } from "./parse-answer.ts";
import { toSnippet, type ApiClient, type SearchProvider } from "./provider.ts";

const Answer = z.object({
  message: z.object({
    items: z.array(
      z.object({
        DOI: z.string(),
        URL: z.string().nullish(),
        title: z.array(z.string()).default([]),
        abstract: z.string().nullish(),
        author: z.array(z.object({ given: z.string().nullish(), family: z.string().nullish(), name: z.string().nullish() })).default([]),
        issued: z.object({ "date-parts": z.array(z.array(z.number().nullable())) }).nullish(),
      }),
    ),
  }),
});
type Item = z.infer<typeof Answer>["message"]["items"][number];

/** Crossref: titles are lists, abstracts are JATS; three list requests a second, better served with a mail address. */
export function createCrossref(api: ApiClient, base: string, contact: string | undefined): SearchProvider {
  return {
    name: "crossref",
    kinds: ["papers", "web"],
    pace: { concurrency: 1, intervalMs: 350 },
    async search({ query, limit, signal }) {
      const url = new URL(`${base}/works`);
      url.search = new URLSearchParams({
        "query.bibliographic": query,
        rows: String(Math.min(limit, 100)),
        select: "DOI,URL,title,abstract,author,issued",
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
    doi: item.DOI.toLowerCase(),
  };
}

function readDate(parts: (number | null)[]): string | undefined {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? undefined : known.map((part) => String(part).padStart(2, "0")).join("-");
}
