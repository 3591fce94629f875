import { z } from "zod";
import type { SearchHit, SearchRequest } from "../../domain/ports.ts";
import { findArxivId, findDoi } from "../store/identifiers.ts";
import { dayOf, firstDayOf, offsetOf } from "./narrowing.ts";
import { unexpected } from "./parse-answer.ts";
import { toSnippet, type ApiClient, type SearchProvider } from "./provider.ts";

const Feed = z.object({
  feed: z.object({
    entry: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          summary: z.string().default(""),
          published: z.string().optional(),
          author: z.array(z.object({ name: z.string() })).default([]),
          doi: z.string().optional(),
        }),
      )
      .default([]),
  }),
});

/** arXiv's Atom API: one request in three seconds over one connection. */
export function createArxiv(api: ApiClient, { base, now }: { base: string; now: () => Date }): SearchProvider {
  return {
    name: "arxiv",
    kinds: ["papers"],
    narrows: ["time_range"],
    pace: { concurrency: 1, intervalMs: 3_000 },
    async search(request) {
      const { limit, signal } = request;
      const url = new URL(`${base}/api/query`);
      url.search = new URLSearchParams({
        search_query: toArxivQuery(request, now()),
        start: String(offsetOf(request)),
        max_results: String(Math.min(limit, 100)),
      }).toString();
      return { hits: await parseFeed(await api.getText(url, signal)), warnings: [] };
    },
  };
}

/** Every word must occur; the API would otherwise take the words after the first as alternatives. */
function toArxivQuery(request: SearchRequest, now: Date): string {
  const words = request.query.split(/[^\p{L}\p{N}.-]+/u).filter((word) => word !== "" && !/^(and|or|andnot)$/i.test(word));
  const first = firstDayOf(request, now);
  const digits = (day: string): string => day.replaceAll("-", "");
  const submitted = first === undefined ? [] : [`submittedDate:[${digits(first)}0000 TO ${digits(dayOf(now))}2359]`];
  return [...words.map((word) => `all:${word}`), ...submitted].join(" AND ");
}

async function parseFeed(xml: string): Promise<SearchHit[]> {
  const { XMLParser } = await import("fast-xml-parser");
  const parser = new XMLParser({
    processEntities: false,
    removeNSPrefix: true,
    parseTagValue: false,
    isArray: (name) => name === "entry" || name === "author",
  });
  const feed = Feed.safeParse(parser.parse(xml.slice(0, 2_000_000)));
  if (!feed.success) throw unexpected("arXiv", "no Atom feed");
  const [first] = feed.data.feed.entry;
  if (first !== undefined && /\/api\/errors/.test(first.id)) throw unexpected("arXiv", toSnippet(first.summary));
  return feed.data.feed.entry.map((entry) => ({
    url: entry.id.trim().replace(/^http:/, "https:"),
    title: toSnippet(entry.title),
    snippet: toSnippet(entry.summary),
    provider: "arxiv",
    authors: entry.author.map(({ name }) => name.trim()),
    published: entry.published?.slice(0, 10),
    doi: findDoi(entry.doi ?? "") ?? arxivDoi(entry.id),
  }));
}

/** Every arXiv paper has a DOI of arXiv's own. */
function arxivDoi(url: string): string | undefined {
  const id = findArxivId(url.trim());
  return id === undefined ? undefined : `10.48550/arxiv.${id}`;
}
