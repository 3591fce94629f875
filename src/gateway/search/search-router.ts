import { HypoError, messageOf } from "../../domain/errors.ts";
import type { Clock, SearchAnswer, SearchHit, SearchRequest } from "../../domain/ports.ts";
import { cancelled } from "../deadline.ts";
import type { PoliteQueue } from "../politeness.ts";
import { mergeHits } from "./merge-hits.ts";
import type { ProviderName, SearchProvider } from "./provider.ts";
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
    const { first, others } = this.#choose(request.kind);
    if (first.length + others.length === 0) throw noProvider(request.kind);
    const asked = await this.#askAll(first, request);
    // The general search stands alone where it answers; the scholarly ones step in where it is missing or fails.
    if (others.length > 0 && !asked.some((outcome) => outcome.asked.ok)) asked.push(...(await this.#askAll(others, request)));
    if (request.signal.aborted) throw cancelled(`The search for "${request.query}"`, request.signal);
    const hits = mergeHits(
      asked.map((outcome) => outcome.hits),
      request.limit,
    );
    return { hits, asked: asked.map((outcome) => outcome.asked), warnings: this.#collectWarnings(asked, hits.length) };
  }

  #choose(kind: SearchRequest["kind"]): { first: SearchProvider[]; others: SearchProvider[] } {
    const serving = this.#options.providers.filter(({ kinds }) => kinds.includes(kind));
    if (kind !== "web") return { first: serving, others: [] };
    const isGeneral = ({ name }: SearchProvider): boolean => name === "searxng" || name === "rehearsal";
    return { first: serving.filter(isGeneral), others: serving.filter((provider) => !isGeneral(provider)) };
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
      return { asked: { provider: name, ok: true, hits: found.length }, hits: found, warnings };
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

function failed(provider: ProviderName, note: string): Outcome {
  return { asked: { provider, ok: false, hits: 0, note }, hits: [], warnings: [] };
}

function noProvider(kind: SearchRequest["kind"]): HypoError {
  return new HypoError("not_configured", `No search provider for kind "${kind}" is configured.`, {
    hint: "Set search.searxng_url, or take out search.providers to use all that need no key.",
  });
}
