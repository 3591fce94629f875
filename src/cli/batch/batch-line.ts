import { z } from "zod";
import { Protocol } from "../../domain/protocol.ts";
import { ThinkingLevel } from "../../domain/model.ts";

const Count = z.int().min(1);

/** One question of a batch file, with what it sets for its run alone. The keys are those of JSONL, and CSV's columns. */
export const BatchLine = z.strictObject({
  id: z
    .union([z.string(), z.int()])
    .transform((id) => String(id).trim())
    .pipe(
      z
        .string()
        .min(1)
        .max(200)
        .regex(/^\P{Cc}*$/u, "it holds control characters"),
    )
    .optional()
    .describe("what the question is called in results, and resumed by; made from the question where left out"),
  question: z
    .string({ error: ({ input }) => (input === undefined ? "it is missing" : "it is no text") })
    .describe("the question to research"),
  model: z.string().min(1).optional().describe("supervisor's model"),
  subagent_model: z.string().min(1).optional().describe("children's model, or inherit"),
  thinking: ThinkingLevel.optional().describe("thinking level of all agents"),
  protocol: Protocol.optional().describe("built-in procedure: survey, hypothesis or replicate"),
  context: z
    .union([
      z
        .string()
        .min(1)
        .transform((one) => [one]),
      z.array(z.string().min(1)),
    ])
    .optional()
    .describe("files, folders or URLs for agents to know of; one in CSV, a list in JSON"),
  max_cost: z.number().min(0).optional().describe("most US dollars of this run"),
  max_tokens: Count.optional().describe("most tokens of this run"),
  max_time: z.number().min(0.1).optional().describe("longest working time of this run, in minutes"),
  max_agents: Count.optional().describe("most agents of this run"),
  max_depth: z.int().min(0).optional().describe("depth of this run's agent tree"),
  max_iterations: Count.optional().describe("most iterations of this run"),
});
export type BatchLine = z.infer<typeof BatchLine>;

/** A question that is to be run. */
export interface BatchItem {
  id: string;
  /** Where it stands in the file, from 1. */
  line: number;
  question: string;
  sets: Omit<BatchLine, "id" | "question">;
}

export const BATCH_KEYS = Object.keys(BatchLine.shape) as (keyof BatchLine)[];

/** Keys whose values are numbers: in CSV they come as text. */
export const NUMERIC_KEYS: ReadonlySet<string> = new Set([
  "max_cost",
  "max_tokens",
  "max_time",
  "max_agents",
  "max_depth",
  "max_iterations",
] satisfies (keyof BatchLine)[]);
