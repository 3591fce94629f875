import { decodeText } from "./charset.ts";
import type { DerivedText, DeriveJob } from "./derived-text.ts";
import { charsetOf } from "./media-type.ts";

const EXTRACTOR = "plain/2";

/** Text, Markdown, JSON, CSV and XML as they are; only the encoding is undone. */
export function deriveFromPlain(job: DeriveJob): DerivedText {
  const text = decodeText(job.bytes, charsetOf(job.mime), job.mime.includes("xml") ? "xml" : "none");
  const title = job.mime.startsWith("text/markdown") ? /^#\s+(.+)$/m.exec(text)?.[1]?.trim() : undefined;
  return { text, extractor: EXTRACTOR, bibliography: title === undefined ? {} : { title }, thin: false, warnings: [] };
}
