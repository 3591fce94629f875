import { z } from "zod";
import { Protocol } from "../domain/protocol.ts";

/** `meta.json`: what never changes about a run. */
export const RunMeta = z.object({
  v: z.literal(1),
  run: z.string(),
  question: z.string(),
  created: z.string(),
  hypo: z.string(),
  pi: z.string(),
  models: z.object({ supervisor: z.string(), subagent: z.string(), thinking: z.string() }),
  prompts_sha256: z.string(),
  rehearsal: z.boolean(),
  protocol: Protocol.optional(),
  origin: z.string(),
});
export type RunMeta = z.infer<typeof RunMeta>;
