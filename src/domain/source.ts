import { z } from "zod";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** One retrieval of a source: appended to the source's `metadata.json`, never changed. */
export const Retrieval = z.object({
  /** As it was asked for, kept verbatim. */
  url: z.string(),
  /** Where redirects ended. */
  final_url: z.string(),
  retrieved_at: z.string(),
  status: z.int(),
  backend: z.string().describe("direct, firecrawl, browser, file, rehearsal"),
  etag: z.string().optional(),
  last_modified: z.string().optional(),
  /** The entry of gateway.allow_hosts that let it through the address policy, if one did. */
  allowed_host: z.string().optional(),
});
export type Retrieval = z.infer<typeof Retrieval>;

/** What was found in the document itself; never taken from a model. */
export const Bibliography = z.object({
  title: z.string().optional(),
  authors: z.array(z.string()).optional(),
  published: z.string().optional(),
  modified: z.string().optional(),
  language: z.string().optional(),
  doi: z.string().optional(),
  arxiv: z.string().optional(),
  canonical_url: z.string().optional(),
  license: z.string().optional(),
  site: z.string().optional(),
});
export type Bibliography = z.infer<typeof Bibliography>;

const RecordedText = z.object({
  sha256: Sha256,
  extractor: z.string(),
  characters: z.int(),
  /** What nearly the same texts are recognised by; absent where the text is too short. */
  signature: z
    .string()
    .regex(/^[0-9a-f]{128}$/)
    .optional(),
});

export const SourceRecord = z.object({
  v: z.literal(1),
  id: Sha256,
  size: z.int(),
  mime: z.string(),
  /** The key for finding the same document again; the fetch URL stays verbatim in the retrieval. */
  canonical: z.string(),
  bibliography: Bibliography,
  /** The text that quotes are checked against: Markdown or plain text derived from the bytes. */
  text: RecordedText.optional(),
  /** The texts before it, oldest first, that other versions made and nothing cited; null where there was none yet. */
  former_texts: z.array(RecordedText.nullable()).optional(),
  retrievals: z.array(Retrieval).min(1),
  untrusted: z.literal(true),
});
export type SourceRecord = z.infer<typeof SourceRecord>;
