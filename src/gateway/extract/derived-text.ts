import type { Bibliography } from "../../domain/source.ts";
import type { MediaKind } from "./media-type.ts";

/** Bytes to make text of. The same job always gives the same text. */
export interface DeriveJob {
  bytes: Uint8Array;
  mime: string;
  kind: MediaKind;
  /** Where the bytes were found: relative links are resolved against it. */
  url: string;
}

/** What a document says, and what it says about itself. */
export interface DerivedText {
  text: string;
  /** Name and version of the rules that made the text. */
  extractor: string;
  bibliography: Bibliography;
  /** True where nearly nothing was found in a page that scripts would fill. */
  thin: boolean;
  warnings: string[];
}
