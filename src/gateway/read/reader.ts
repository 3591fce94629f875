import { HypoError } from "../../domain/errors.ts";
import type { ReadDocument } from "../../domain/ports.ts";
import type { SourceRecord } from "../../domain/source.ts";
import { isDataType, unsupportedType } from "../extract/media-type.ts";
import { canonicalKey } from "../store/canonical-url.ts";
import type { WritableSourceStore } from "../store/source-store.ts";
import type { FetchedPage, PageSource } from "./page-source.ts";

export interface ReaderOptions {
  store: WritableSourceStore;
  source: PageSource;
  /** Renders pages whose scripts write their text; asked only where the direct read found nearly nothing. */
  renderer: PageSource | undefined;
}

/** Reads documents into the store; a URL read before in this process is served from there. */
export class Reader {
  readonly #options: ReaderOptions;
  readonly #seen = new Map<string, string>();

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  async read(url: string, signal: AbortSignal, refresh: boolean): Promise<ReadDocument> {
    const known = refresh ? undefined : await this.#openSeen(url);
    if (known !== undefined) return known;
    const { store, source } = this.#options;
    const page = await source.fetch(url, signal);
    if (page.kind === undefined) throw unsupportedType(url, page.mime);
    const stored = await store.keep(page, signal);
    if (stored.text === undefined) throw noText(url);
    const direct = { source: stored.source, text: stored.text, warnings: stored.warnings };
    const document = stored.thin ? await this.#readRendered(url, signal, direct) : direct;
    this.#remember(url, document.source);
    return document;
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

  async #openSeen(url: string): Promise<ReadDocument | undefined> {
    const id = this.#seen.get(canonicalKey(url));
    return id === undefined ? undefined : await this.#options.store.open(id);
  }

  #remember(url: string, source: SourceRecord): void {
    this.#seen.set(canonicalKey(url), source.id);
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
