import type { DerivedText, DeriveJob } from "./derived-text.ts";
import { ExtractionPool, type ExtractionLimits } from "./extraction-pool.ts";
import { deriveFromPlain } from "./plain.ts";

/** Makes text of bytes; the same job gives the same text every time. */
export interface TextDeriver {
  derive(job: DeriveJob, signal: AbortSignal): Promise<DerivedText>;
  close(): Promise<void>;
}

/** HTML and PDF are taken apart in worker threads; plain text needs none. */
export function createTextDeriver(limits?: ExtractionLimits): TextDeriver {
  const pool = new ExtractionPool(limits);
  return {
    derive: async (job, signal) => (job.kind === "text" ? deriveFromPlain(job) : await pool.run(job, signal)),
    close: () => pool.close(),
  };
}
