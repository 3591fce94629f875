import type { DerivedText, DeriveJob } from "./derived-text.ts";
import { ExtractionPool, type ExtractionLimits } from "./extraction-pool.ts";

/** Makes text of bytes; the same job gives the same text every time. */
export interface TextDeriver {
  derive(job: DeriveJob, signal: AbortSignal): Promise<DerivedText>;
  close(): Promise<void>;
}

/** HTML and PDF are taken apart in worker threads; plain text needs none. */
export function createTextDeriver(limits?: ExtractionLimits): TextDeriver {
  const pool = new ExtractionPool(limits);
  return {
    async derive(job, signal) {
      if (job.kind !== "text") return await pool.run(job, signal);
      const { deriveFromPlain } = await import("./plain.ts");
      return deriveFromPlain(job);
    },
    close: () => pool.close(),
  };
}
