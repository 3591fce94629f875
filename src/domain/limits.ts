import { z } from "zod";

/** Coded limits of a run (design: the tree, the loop). Every refusal names the limit and its value. */
export const Limits = z.strictObject({
  depth: z.int().min(0).max(20).default(6).describe("how deep the agent tree may grow; the root is 0"),
  children: z.int().min(0).max(100).default(8).describe("children an agent may spawn"),
  active: z.int().min(1).max(500).default(32).describe("agents unfinished at once"),
  agents: z.int().min(1).max(5000).default(200).describe("agents in the whole run, the root included"),
  streaming: z.int().min(1).max(64).default(3).describe("model answers streaming at once"),
  agent_minutes: z.number().positive().max(1440).default(30).describe("working time of one agent, in minutes"),
  iterations: z.int().min(1).max(1000).default(12).describe("iterations of the supervisor"),
  iterations_without_progress: z.int().min(1).max(1000).default(3).describe("iterations in a row that may bring nothing new"),
});
export type Limits = z.infer<typeof Limits>;

export const Budget = z.strictObject({
  usd: z.number().min(0).nullable().default(5).describe("money the run may spend on models, in US dollars; null for no cap"),
  tokens: z.int().min(0).default(20_000_000).describe("tokens the run may use, input and output together"),
  hours: z.number().positive().default(4).describe("working time of the run, in hours"),
});
export type Budget = z.infer<typeof Budget>;

export const LIMITS_DEFAULT: Limits = Limits.parse({});
export const BUDGET_DEFAULT: Budget = Budget.parse({});
