import { z } from "zod";
import { BUDGET_DEFAULT, LIMITS_DEFAULT } from "./limit-defaults.ts";

/** Coded limits of a run (design: the tree, the loop). Every refusal names the limit and its value. */
export const Limits = z.strictObject({
  depth: z.int().min(0).max(20).default(LIMITS_DEFAULT.depth).describe("how deep the agent tree may grow; the root is 0"),
  children: z.int().min(0).max(100).default(LIMITS_DEFAULT.children).describe("children an agent may spawn"),
  active: z.int().min(1).max(500).default(LIMITS_DEFAULT.active).describe("agents unfinished at once"),
  agents: z.int().min(1).max(5000).default(LIMITS_DEFAULT.agents).describe("agents in the whole run, the root included"),
  streaming: z.int().min(1).max(64).default(LIMITS_DEFAULT.streaming).describe("model answers streaming at once"),
  agent_minutes: z.number().positive().max(1440).default(LIMITS_DEFAULT.agent_minutes).describe("working time of one agent, in minutes"),
  iterations: z.int().min(1).max(1000).default(LIMITS_DEFAULT.iterations).describe("iterations of the supervisor"),
  iterations_without_progress: z
    .int()
    .min(1)
    .max(1000)
    .default(LIMITS_DEFAULT.iterations_without_progress)
    .describe("iterations in a row that may bring nothing new"),
});
export type Limits = z.infer<typeof Limits>;

export const Budget = z.strictObject({
  usd: z
    .number()
    .min(0)
    .nullable()
    .default(BUDGET_DEFAULT.usd)
    .describe("money the run may spend on models, in US dollars; null for no cap"),
  tokens: z.int().min(0).default(BUDGET_DEFAULT.tokens).describe("tokens the run may use, input and output together"),
  hours: z.number().positive().default(BUDGET_DEFAULT.hours).describe("working time of the run, in hours"),
});
export type Budget = z.infer<typeof Budget>;
