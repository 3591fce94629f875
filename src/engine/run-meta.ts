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
  /** By `hypo run`, or registered by hand. */
  origin: z.enum(["run", "manual"]),
});
export type RunMeta = z.infer<typeof RunMeta>;
