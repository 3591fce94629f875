import { z } from "zod";

/** The built-in procedures that a run may follow beyond the usual one. */
export const Protocol = z.enum(["survey", "hypothesis", "replicate"]);
export type Protocol = z.infer<typeof Protocol>;
