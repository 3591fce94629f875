import type { Retrieval } from "../../domain/source.ts";
import type { MediaKind } from "../extract/media-type.ts";

/** A document as a backend delivered it, before anything is stored. */
export interface FetchedPage {
  bytes: Uint8Array;
  mime: string;
  kind: MediaKind | undefined;
  retrieval: Retrieval;
}

/** Where documents come from: the web, or a bundled folder. */
export interface PageSource {
  /** @throws HypoError for every answer that is not the document, such as `not_found` or `rate_limited`. */
  fetch(url: string, signal: AbortSignal): Promise<FetchedPage>;
}
