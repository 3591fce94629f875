import { HypoError } from "../../domain/errors.ts";
import type { ReadDocument } from "../../domain/ports.ts";
import type { SourceRecord } from "../../domain/source.ts";
import { isDataType, unsupportedType } from "../extract/media-type.ts";
import type { Admit } from "../guarded-client.ts";
import { addressKey } from "../store/canonical-url.ts";
import type { WritableSourceStore } from "../store/source-store.ts";
import type { FetchedPage, PageSource, Unchanged } from "./page-source.ts";

export interface ReaderOptions {
  store: WritableSourceStore;
  source: PageSource;
  /** Renders pages whose scripts write their text; asked only where the direct read found nearly nothing. */
  renderer: PageSource | undefined;
}

interface ReadOptions {
  /** Asks for what was read before in this process, too. */
  refresh?: boolean;
  /** Is asked about the address and those it redirects to. */
  admit?: Admit | undefined;
}

/** Most documents named as nearly the same as one that was read. */
const MAX_NAMED = 2;

/** Reads documents into the store; a URL read before in this process is served from there. */
export class Reader {
  readonly #options: ReaderOptions;
  readonly #seen = new Map<string, string>();

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  async read(url: string, signal: AbortSignal, { refresh = false, admit }: ReadOptions): Promise<ReadDocument> {
    const known = refresh ? undefined : await this.#openSeen(url);
    if (known !== undefined) return known;
    const page = await this.#fetch(url, signal, admit);
    if ("unchanged" in page) return await this.#openUnchanged(page);
    if (page.kind === undefined) throw unsupportedType(url, page.mime);
    const { store } = this.#options;
    const stored = await store.keep(page, signal);
    if (stored.text === undefined) throw noText(url);
    const direct = { source: stored.source, text: stored.text, warnings: stored.warnings };
    const document = stored.thin ? await this.#readRendered(url, signal, direct) : direct;
    this.#remember(url, document.source);
    return await this.#nameSimilar(document);
  }

  /** Stores a page that came in another way, such as through a browser. */
  async keep(page: FetchedPage, signal: AbortSignal): Promise<ReadDocument> {
    const { source, text, warnings } = await this.#options.store.keep(page, signal);
    if (text === undefined) throw noText(page.retrieval.url);
    return { source, text, warnings };
  }

  async download(url: string, signal: AbortSignal): Promise<{ source: SourceRecord; text: string | undefined }> {
    const page = await this.#options.source.fetch(url, signal);
    if (page.kind === undefined && !isDataType(page.mime)) throw unsupportedType(url, page.mime);
    const { source, text } = await this.#options.store.keep(page, signal, { textOptional: true });
    return { source, text };
  }

  /** What is stored from this address is asked for on condition that it has changed. */
  async #fetch(url: string, signal: AbortSignal, admit: Admit | undefined): Promise<FetchedPage | (Unchanged & { source: SourceRecord })> {
    const { store, source } = this.#options;
    const known = source.revalidate === undefined ? undefined : await store.findByAddress(url);
    const latest = known?.retrievals.findLast((retrieval) => addressKey(retrieval.url) === addressKey(url));
    const { etag, last_modified } = latest ?? {};
    if (source.revalidate === undefined || known === undefined || (etag ?? last_modified) === undefined) {
      return await source.fetch(url, signal, admit);
    }
    const answer = await source.revalidate(url, { etag, last_modified }, signal, admit);
    return "unchanged" in answer ? { ...answer, source: known } : answer;
  }

  async #openUnchanged({ unchanged, source }: Unchanged & { source: SourceRecord }): Promise<ReadDocument> {
    const { store } = this.#options;
    await store.confirm(source.id, unchanged);
    const document = await store.open(source.id);
    if (document === undefined) throw noText(unchanged.url);
    this.#remember(unchanged.url, source);
    return document;
  }

  async #nameSimilar(document: ReadDocument): Promise<ReadDocument> {
    const similar = await this.#options.store.findSimilar(document.source);
    const named = similar.slice(0, MAX_NAMED).map(({ id, similarity }) => `${id} (${Math.round(similarity * 100)}% alike)`);
    return named.length === 0 ? document : withWarning(document, `Nearly the same text is stored as ${named.join(", ")}.`);
  }

  async #openSeen(url: string): Promise<ReadDocument | undefined> {
    const id = this.#seen.get(addressKey(url));
    return id === undefined ? undefined : await this.#options.store.open(id);
  }

  #remember(url: string, source: SourceRecord): void {
    this.#seen.set(addressKey(url), source.id);
  }

  async #readRendered(url: string, signal: AbortSignal, direct: ReadDocument): Promise<ReadDocument> {
    const { renderer, store } = this.#options;
    if (renderer === undefined)
      return withWarning(
        direct,
        "The page seems to be filled by scripts: its text may be missing. Set read.firecrawl_url to have such pages rendered.",
      );
    try {
      const { source, text, warnings } = await store.keep(await renderer.fetch(url, signal), signal);
      return text === undefined ? direct : { source, text, warnings };
    } catch (error) {
      if (!(error instanceof HypoError) || signal.aborted) throw error;
      return withWarning(direct, `The page seems to be filled by scripts, and rendering it failed: ${error.message}`);
    }
  }
}

function withWarning(document: ReadDocument, warning: string): ReadDocument {
  return { ...document, warnings: [...document.warnings, warning] };
}

function noText(url: string): HypoError {
  return new HypoError("no_text", `No text could be made of ${url}.`, { hint: "Read another source." });
}
