import { z } from "zod";

/** What scholarly services say of a source that carries a DOI or an arXiv id. */
export const ReferenceCheck = z.object({
  source: z.string(),
  checked_at: z.string(),
  /** `unchecked`: no service answered; `no_identifier`: there is nothing to ask about. */
  status: z.enum(["matches", "differs", "not_found", "unchecked", "no_identifier"]),
  retracted: z.boolean(),
  /** What does not match, and what services did not answer. */
  remarks: z.array(z.string()),
});
export type ReferenceCheck = z.infer<typeof ReferenceCheck>;
