import type { Retrieval } from "../../domain/source.ts";
import type { MediaKind } from "../extract/media-type.ts";
import type { Admit } from "../guarded-client.ts";

/** A document as a backend delivered it, before anything is stored. */
export interface FetchedPage {
  bytes: Uint8Array;
  mime: string;
  kind: MediaKind | undefined;
  retrieval: Retrieval;
}

/** What a server gave with a document to ask later whether it has changed (RFC 9110, 13.1). */
export interface Validators {
  etag?: string | undefined;
  last_modified?: string | undefined;
}

/** The retrieval of a document that had not changed. */
export interface Unchanged {
  unchanged: Retrieval;
}

/** Where documents come from: the web, or a bundled folder. */
export interface PageSource {
  /**
   * @param admit is asked about the address and those it redirects to
   * @throws HypoError for every answer that is not the document, such as `not_found` or `rate_limited`.
   */
  fetch(url: string, signal: AbortSignal, admit?: Admit): Promise<FetchedPage>;
  /** Like `fetch`, of a document that is known by these; where the source cannot say, it is fetched anew. */
  revalidate?(url: string, validators: Validators, signal: AbortSignal, admit?: Admit): Promise<FetchedPage | Unchanged>;
}
