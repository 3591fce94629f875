import { z } from "zod";
import { ComputedOutcome, ExecutionStatus } from "./experiment.ts";

const MetricValue = z.union([z.number(), z.boolean(), z.string()]);

/** One metric of a replay beside the one of the execution it repeats. */
export const MetricComparison = z.object({
  name: z.string(),
  /** Left out where that execution has no such metric. */
  original: MetricValue.optional(),
  replayed: MetricValue.optional(),
  /** As registered in the plan; nothing else ever decides. */
  tolerance: z.number(),
  comparison: z.enum(["identical", "within_tolerance", "different"]),
});
export type MetricComparison = z.infer<typeof MetricComparison>;

/** Something around the code that is not what it was. */
export const EnvironmentDifference = z.object({ name: z.string(), original: z.string(), replayed: z.string() });
export type EnvironmentDifference = z.infer<typeof EnvironmentDifference>;

/** How an execution ended, in short. */
const Ending = z.object({ status: ExecutionStatus, exit_code: z.int().nullable(), outcome: ComputedOutcome });

/** Everything recorded of one replay: `experiments/<id>/replays/<n>.json`. A replay is never an execution. */
export const ReplayRecord = z.object({
  v: z.literal(1),
  experiment: z.string(),
  /** The execution that was repeated. */
  execution: z.int().min(1),
  replay: z.int().min(1),
  reproduced: z.boolean(),
  /** Why not, in words, where it was not. */
  reason: z.string().optional(),
  plan_sha256: z.string(),
  code_sha256: z.string(),
  image_id: z.string(),
  original: Ending,
  replayed: Ending,
  metrics: z.array(MetricComparison),
  metrics_problem: z.string().optional(),
  /** What is not part of the verdict: artefacts may hold times and paths. */
  artifacts: z.array(z.object({ path: z.string(), comparison: z.enum(["identical", "different", "missing", "new"]) })),
  environment_differences: z.array(EnvironmentDifference),
  environment: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  stderr_tail: z.string(),
  started_at: z.string(),
  ended_at: z.string(),
});
export type ReplayRecord = z.infer<typeof ReplayRecord>;
