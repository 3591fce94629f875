import { HypoError, messageOf } from "../../domain/errors.ts";
import type { Clock, SearchAnswer, SearchHit, SearchRequest } from "../../domain/ports.ts";
import { cancelled } from "../deadline.ts";
import type { PoliteQueue } from "../politeness.ts";
import { mergeHits } from "./merge-hits.ts";
import type { ProviderName, SearchProvider } from "./provider.ts";
import { nameUnheeded } from "./narrowing.ts";
import { isExhausted, type Rests } from "./rests.ts";

export interface SearchRouterOptions {
  /** In the order in which they are asked and trusted. */
  providers: readonly SearchProvider[];
  queue: PoliteQueue;
  rests: Rests;
  clock: Clock;
  /** Said with the first answer, once. */
  notices: string[];
}

type Asked = SearchAnswer["asked"][number];
interface Outcome {
  asked: Asked;
  hits: SearchHit[];
  warnings: string[];
}

/** Asks the providers that serve a kind of search; one that fails is reported and never fails the search. */
export class SearchRouter {
  readonly #options: SearchRouterOptions;
  readonly #notices: string[];

  constructor(options: SearchRouterOptions) {
    this.#options = options;
    this.#notices = [...options.notices];
  }

  async search(request: SearchRequest): Promise<SearchAnswer> {
    if (request.query.trim() === "") throw new HypoError("usage", "The search has no words.", { hint: "Give a query." });
    const { first, others } = chooseProviders(request.kind, this.#options.providers);
    if (first.length + others.length === 0) throw noProvider(request.kind);
    const asked = await this.#askAll(first, request);
    if (others.length > 0 && !asked.some(isHealthy)) asked.push(...(await this.#askAll(others, request)));
    if (request.signal.aborted) throw cancelled(`The search for "${request.query}"`, request.signal);
    const hits = mergeHits(
      asked.map((outcome) => outcome.hits),
      request.limit,
    );
    return { hits, asked: asked.map((outcome) => outcome.asked), warnings: this.#collectWarnings(asked, hits.length) };
  }

  async #askAll(providers: SearchProvider[], request: SearchRequest): Promise<Outcome[]> {
    return await Promise.all(providers.map((provider) => this.#ask(provider, request)));
  }

  async #ask(provider: SearchProvider, request: SearchRequest): Promise<Outcome> {
    const { queue, rests, clock } = this.#options;
    const { name } = provider;
    const rest = rests.find(name, clock.now());
    if (rest !== undefined) return failed(name, rest);
    try {
      const { hits, warnings } = await queue.run(`search:${name}`, provider.pace, request.signal, () => provider.search(request));
      const found = hits.slice(0, request.limit);
      return {
        asked: { provider: name, ok: true, hits: found.length, note: nameUnheeded(request, provider.narrows) },
        hits: found,
        warnings,
      };
    } catch (error) {
      if (isExhausted(error)) rests.add(name, clock.now(), error);
      return failed(name, error instanceof HypoError && error.hint !== undefined ? `${error.message} ${error.hint}` : messageOf(error));
    }
  }

  #collectWarnings(outcomes: Outcome[], found: number): string[] {
    const failures = outcomes
      .filter(({ asked }) => !asked.ok)
      .map(({ asked }) => `${asked.provider} did not answer: ${asked.note ?? "no reason"}`);
    const nothing = found > 0 ? [] : [failures.length === outcomes.length ? "No provider answered." : "Nothing was found."];
    return [...nothing, ...failures, ...outcomes.flatMap(({ warnings }) => warnings), ...this.#notices.splice(0)];
  }
}

/**
 * Who is asked at once, and who steps in where none of those is healthy. For the web: the general search, else the
 * scholarly ones and the encyclopedia. For papers: all that know papers, merged. For the encyclopedia: Wikipedia, else
 * the general search.
 */
function chooseProviders(
  kind: SearchRequest["kind"],
  providers: readonly SearchProvider[],
): { first: SearchProvider[]; others: SearchProvider[] } {
  const serving = providers.filter(({ kinds }) => kinds.includes(kind));
  if (kind === "papers") return { first: serving, others: [] };
  const isGeneral = ({ name }: SearchProvider): boolean => name === "searxng" || name === "rehearsal";
  const general = serving.filter(isGeneral);
  const special = serving.filter((provider) => !isGeneral(provider));
  return kind === "web" ? { first: general, others: special } : { first: special, others: general };
}

/** An answer without hits is an answer, unless engines behind the provider did not respond. */
function isHealthy({ asked, warnings }: Outcome): boolean {
  return asked.ok && (asked.hits > 0 || warnings.length === 0);
}

function failed(provider: ProviderName, note: string): Outcome {
  return { asked: { provider, ok: false, hits: 0, note }, hits: [], warnings: [] };
}

function noProvider(kind: SearchRequest["kind"]): HypoError {
  return new HypoError("not_configured", `No search provider for kind "${kind}" is configured.`, {
    hint: "Set search.searxng_url, or take out search.providers to use all that need no key.",
  });
}
