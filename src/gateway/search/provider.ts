import type { SearchHit, SearchRequest } from "../../domain/ports.ts";
import type { Pace } from "../politeness.ts";
import type { Narrowing } from "./narrowing.ts";

export type ProviderName = "searxng" | "openalex" | "crossref" | "arxiv" | "europepmc" | "wikipedia" | "rehearsal";

/** What a provider found, best first. */
interface ProviderAnswer {
  hits: SearchHit[];
  /** What the person should know, such as an engine behind the provider that did not respond. */
  warnings: string[];
}

/** A search service. All share this shape; what differs is the contract of the service behind it. */
export interface SearchProvider {
  name: ProviderName;
  kinds: readonly SearchRequest["kind"][];
  /** By what it can narrow a search; all of them turn pages. */
  narrows: readonly Narrowing[];
  pace: Pace;
  /** @throws HypoError `rate_limited`, `http_error`, `timeout`, ... where the provider does not answer as it should. */
  search(request: SearchRequest): Promise<ProviderAnswer>;
}

/** Fetches from a public API through the guarded client; the base URL may be replaced. */
export interface ApiClient {
  /** The body of a 2xx answer. */
  getText(url: URL, signal: AbortSignal): Promise<string>;
}

/** A snippet is made of the beginning of longer markup. */
const MAX_MARKUP = 10_000;

/** Plain text of an HTML or JATS fragment, cut to a snippet. */
export function toSnippet(markup: string | null | undefined): string {
  const text = (markup ?? "")
    .slice(0, MAX_MARKUP)
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#0?39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? " ")
    .replace(/\s+/g, " ")
    .replace(/ ([.,;:!?)])/g, "$1")
    .trim();
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#039": "'", nbsp: " " };
