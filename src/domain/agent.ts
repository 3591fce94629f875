import { z } from "zod";
import { ThinkingLevel } from "./model.ts";

export const AgentOutcome = z.enum(["completed", "failed", "cancelled", "interrupted", "timed_out", "no_result"]);
export type AgentOutcome = z.infer<typeof AgentOutcome>;

/** The validated specification of an agent: YAML frontmatter and sections of `agents/<id>.md`. */
export const AgentSpec = z.strictObject({
  id: z.string(),
  name: z.string().min(1).max(80),
  parent: z.string().nullable(),
  run: z.string(),
  depth: z.int().min(0),
  model: z.string(),
  thinking: ThinkingLevel,
  tools: z.array(z.string()),
  may_spawn: z.boolean(),
  max_children: z.int().min(0),
  budget_usd: z.number().min(0).nullable(),
  replication_of: z.string().nullable(),
  independent_context: z.boolean(),
  role: z.string().min(1),
  goal: z.string().min(1),
  context: z.string(),
  responsibilities: z.string(),
  completion_criteria: z.string(),
  expected_output: z.string(),
});
export type AgentSpec = z.infer<typeof AgentSpec>;
