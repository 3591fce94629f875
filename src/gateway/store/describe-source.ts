import { sha256 } from "../../domain/hash.ts";
import type { SourceId } from "../../domain/ids.ts";
import type { Bibliography, Retrieval, SourceRecord } from "../../domain/source.ts";
import type { DerivedText } from "../extract/derived-text.ts";
import { canonicalKeyOf } from "./canonical-url.ts";
import { signText } from "./text-signature.ts";

/** Bytes that were just fetched. */
export interface FetchedDocument {
  bytes: Uint8Array;
  mime: string;
  retrieval: Retrieval;
}

/** The record of a source that was not known before. */
export function describeSource(id: SourceId, { bytes, mime, retrieval }: FetchedDocument, derived: DerivedText | undefined): SourceRecord {
  const bibliography: Bibliography = derived?.bibliography ?? {};
  return {
    v: 1,
    id,
    size: bytes.length,
    mime,
    canonical: canonicalKeyOf({ url: retrieval.final_url, ...bibliography }),
    bibliography,
    ...(derived === undefined ? {} : { text: describeText(derived) }),
    retrievals: [retrieval],
    untrusted: true,
  };
}

/** What is recorded of a derived text. */
export function describeText({ text, extractor }: DerivedText): NonNullable<SourceRecord["text"]> {
  const signature = signText(text);
  return { sha256: sha256(text), extractor, characters: countCodePoints(text), ...(signature === undefined ? {} : { signature }) };
}

function countCodePoints(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}
