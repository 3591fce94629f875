import type { Config } from "../../domain/config.ts";
import type { OperatorClient } from "../operator-client.ts";
import { createArxiv } from "./arxiv.ts";
import { createCrossref } from "./crossref.ts";
import { createEuropePmc } from "./europepmc.ts";
import { createOpenAlex } from "./openalex.ts";
import type { ApiClient, ProviderName, SearchProvider } from "./provider.ts";
import { createSearxng } from "./searxng.ts";
import { createWikipedia } from "./wikipedia.ts";

/** Where the public providers are found; tests and mirrors replace single ones. */
export interface SearchEndpoints {
  openalex: string;
  crossref: string;
  arxiv: string;
  europepmc: string;
  wikipedia: string;
}

export const PUBLIC_ENDPOINTS: SearchEndpoints = {
  openalex: "https://api.openalex.org",
  crossref: "https://api.crossref.org",
  arxiv: "https://export.arxiv.org",
  europepmc: "https://www.ebi.ac.uk",
  wikipedia: "https://en.wikipedia.org",
};

const DEFAULT_ORDER: ProviderName[] = ["searxng", "openalex", "crossref", "arxiv", "europepmc", "wikipedia"];

export interface ProviderOptions {
  search: Config["search"];
  api: ApiClient;
  searxng: OperatorClient | undefined;
  endpoints: Partial<SearchEndpoints>;
  now: () => Date;
}

/** The configured providers in their configured order. */
export function createProviders({ search, api, searxng, endpoints, now }: ProviderOptions): SearchProvider[] {
  const at = { ...PUBLIC_ENDPOINTS, ...endpoints };
  const made: SearchProvider[] = [
    ...(searxng === undefined ? [] : [createSearxng(searxng, now)]),
    createOpenAlex(api, { base: at.openalex, key: search.openalex_key, contact: search.contact, now }),
    createCrossref(api, { base: at.crossref, contact: search.contact, now }),
    createArxiv(api, { base: at.arxiv, now }),
    createEuropePmc(api, { base: at.europepmc, now }),
    createWikipedia(api, at.wikipedia),
  ];
  const order: readonly string[] = search.providers ?? DEFAULT_ORDER;
  return order.flatMap((name) => made.find((provider) => provider.name === name) ?? []);
}

/** What the person should hear once about the search configuration. */
export function describeLimits(search: Config["search"]): string[] {
  return [
    ...(search.searxng_url === undefined
      ? ["No general web search is configured (search.searxng_url): only scholarly sources and Wikipedia are searched."]
      : []),
    ...(search.contact === undefined ? ["No search.contact is set: scholarly services serve tools better that name one."] : []),
  ];
}
