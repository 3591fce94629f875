import { z } from "zod";
import { HypoError } from "../../domain/errors.ts";
import { parseAnswer, unexpected } from "../search/parse-answer.ts";
import { toSnippet, type ApiClient } from "../search/provider.ts";
import type { SearchEndpoints } from "../search/providers.ts";
import { findArxivId } from "../store/identifiers.ts";
import type { KnownWork } from "./known-work.ts";

/** Where the services are found. */
export type ReferenceEndpoints = Pick<SearchEndpoints, "crossref" | "openalex" | "arxiv">;

/** Asks one service for one identifier; undefined where it does not know it. Throws where it does not answer as it should. */
export type AskService = (id: string, signal: AbortSignal) => Promise<KnownWork | undefined>;

const CrossrefWork = z.object({
  message: z.object({
    title: z.array(z.string()).default([]),
    author: z.array(z.object({ given: z.string().nullish(), family: z.string().nullish(), name: z.string().nullish() })).default([]),
    /** Notices that update this work; retractions from publishers and from Retraction Watch alike. */
    "updated-by": z.array(z.object({ type: z.string() })).default([]),
  }),
});

/** Crossref's record of a DOI (api.crossref.org/works/{doi}). */
export function askCrossref(api: ApiClient, base: string): AskService {
  return async (doi, signal) => {
    const body = await findText(api, new URL(`${base}/works/${encodeURIComponent(doi)}`), signal);
    if (body === undefined) return undefined;
    const { message } = parseAnswer("Crossref", body, CrossrefWork);
    const title = toSnippet(message.title[0]);
    return {
      service: "Crossref",
      title,
      authors: message.author.map(({ given, family, name }) => name ?? [given, family].filter((part) => part).join(" ")),
      retracted: message["updated-by"].some(({ type }) => /^(?:retraction|removal|withdrawal)$/i.test(type)) || /^retracted\b/i.test(title),
    };
  };
}

const OpenAlexWork = z.object({
  display_name: z.string().nullish(),
  authorships: z.array(z.object({ author: z.object({ display_name: z.string().nullish() }) })).default([]),
  is_retracted: z.boolean().nullish(),
});

/** OpenAlex's record of a DOI (api.openalex.org/works/doi:{doi}). */
export function askOpenAlex(api: ApiClient, base: string, key: string | undefined): AskService {
  return async (doi, signal) => {
    const url = new URL(`${base}/works/doi:${encodeURIComponent(doi)}`);
    url.search = new URLSearchParams({
      select: "id,display_name,authorships,is_retracted",
      ...(key === undefined ? {} : { api_key: key }),
    }).toString();
    const body = await findText(api, url, signal);
    if (body === undefined) return undefined;
    const work = parseAnswer("OpenAlex", body, OpenAlexWork);
    return {
      service: "OpenAlex",
      title: toSnippet(work.display_name),
      authors: work.authorships.flatMap(({ author }) => author.display_name ?? []),
      retracted: work.is_retracted ?? false,
    };
  };
}

const Feed = z.object({
  feed: z.object({
    entry: z
      .array(
        z.object({
          id: z.string(),
          title: z.string().default(""),
          author: z.array(z.object({ name: z.string() })).default([]),
          comment: z.string().optional(),
          summary: z.string().default(""),
        }),
      )
      .default([]),
  }),
});

/** arXiv's entry of an id (export.arxiv.org/api/query?id_list=). It answers unknown ids with an empty feed or an error entry. */
export function askArxiv(api: ApiClient, base: string): AskService {
  return async (id, signal) => {
    const url = new URL(`${base}/api/query`);
    url.search = new URLSearchParams({ id_list: id, max_results: "1" }).toString();
    const entry = (await parseFeed(await api.getText(url, signal)))[0];
    if (entry === undefined || findArxivId(entry.id.trim()) !== id.toLowerCase().replace(/v\d+$/, "")) return undefined;
    return {
      service: "arXiv",
      title: toSnippet(entry.title),
      authors: entry.author.map(({ name }) => name.trim()),
      retracted:
        /\bwithdrawn\b/i.test(entry.comment ?? "") || /^\s*this (?:paper|article|submission) has been withdrawn/i.test(entry.summary),
    };
  };
}

async function parseFeed(xml: string): Promise<z.infer<typeof Feed>["feed"]["entry"]> {
  const { XMLParser } = await import("fast-xml-parser");
  const parser = new XMLParser({
    processEntities: false,
    removeNSPrefix: true,
    parseTagValue: false,
    isArray: (name) => name === "entry" || name === "author",
  });
  const feed = Feed.safeParse(parser.parse(xml.slice(0, 2_000_000)));
  if (!feed.success) throw unexpected("arXiv", "no Atom feed");
  return feed.data.feed.entry;
}

async function findText(api: ApiClient, url: URL, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await api.getText(url, signal);
  } catch (error) {
    if (error instanceof HypoError && error.code === "not_found") return undefined;
    throw error;
  }
}
