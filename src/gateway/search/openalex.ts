import { z } from "zod";
import type { SearchHit, SearchRequest } from "../../domain/ports.ts";
import { findDoi } from "../store/identifiers.ts";
import { firstDayOf, primaryLanguageOf } from "./narrowing.ts";
import { parseAnswer } from "./parse-answer.ts";
import { toSnippet, type ApiClient, type SearchProvider } from "./provider.ts";

const Location = z
  .object({
    landing_page_url: z.string().nullish(),
    pdf_url: z.string().nullish(),
    source: z.object({ display_name: z.string().nullish() }).nullish(),
  })
  .nullish();
const Answer = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      doi: z.string().nullish(),
      display_name: z.string().nullish(),
      publication_date: z.string().nullish(),
      authorships: z.array(z.object({ author: z.object({ display_name: z.string().nullish() }) })).default([]),
      primary_location: Location,
      best_oa_location: Location,
      abstract_inverted_index: z.record(z.string(), z.array(z.int())).nullish(),
      is_retracted: z.boolean().nullish(),
    }),
  ),
});
type Work = z.infer<typeof Answer>["results"][number];

const FIELDS = "id,doi,display_name,publication_date,authorships,primary_location,best_oa_location,abstract_inverted_index,is_retracted";

export interface OpenAlexOptions {
  base: string;
  key: string | undefined;
  contact: string | undefined;
  now: () => Date;
}

/** OpenAlex: about 100 searches a day without a key, ten times that with a free one. */
export function createOpenAlex(api: ApiClient, { base, key, contact, now }: OpenAlexOptions): SearchProvider {
  return {
    name: "openalex",
    kinds: ["papers", "web"],
    narrows: ["language", "time_range"],
    pace: { concurrency: 1, intervalMs: 200 },
    async search(request) {
      const { query, limit, page = 1, signal } = request;
      const filter = toFilter(request, now());
      const url = new URL(`${base}/works`);
      url.search = new URLSearchParams({
        search: query,
        per_page: String(Math.min(limit, 100)),
        ...(page === 1 ? {} : { page: String(page) }),
        ...(filter === "" ? {} : { filter }),
        select: FIELDS,
        ...(key === undefined ? {} : { api_key: key }),
        ...(contact === undefined ? {} : { mailto: contact }),
      }).toString();
      const { results } = parseAnswer("OpenAlex", await api.getText(url, signal), Answer);
      return { hits: results.map(toHit), warnings: [] };
    },
  };
}

function toFilter(request: SearchRequest, now: Date): string {
  const first = firstDayOf(request, now);
  const language = primaryLanguageOf(request);
  return [
    ...(first === undefined ? [] : [`from_publication_date:${first}`]),
    ...(language === undefined ? [] : [`language:${language}`]),
  ].join(",");
}

function toHit(work: Work): SearchHit {
  const doi = findDoi(work.doi ?? "");
  const landing = work.best_oa_location?.landing_page_url ?? work.primary_location?.landing_page_url;
  return {
    url: landing ?? (doi === undefined ? work.id : `https://doi.org/${doi}`),
    title: work.display_name ?? "Untitled",
    snippet: toSnippet(restoreAbstract(work.abstract_inverted_index ?? {})),
    provider: "openalex",
    authors: work.authorships.flatMap(({ author }) => author.display_name ?? []),
    published: work.publication_date ?? undefined,
    journal: work.primary_location?.source?.display_name ?? undefined,
    doi,
    pdf_url: work.best_oa_location?.pdf_url ?? undefined,
    retracted: work.is_retracted ?? undefined,
  };
}

/** OpenAlex gives abstracts as word -> positions. */
function restoreAbstract(index: Record<string, number[]>): string {
  const placed = Object.entries(index).flatMap(([word, positions]) => positions.map((position) => ({ word, position })));
  return placed
    .toSorted((a, b) => a.position - b.position)
    .map(({ word }) => word)
    .join(" ");
}
