import { z } from "zod";
import { Verdict } from "./finding.ts";
import { hashOf } from "./hash.ts";

/** `__proto__` would be lost wherever metrics are kept as the fields of an object. */
const Name = z.string().regex(/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$/, "a name of letters, digits and _, other than __proto__");

/** A number that the experiment must write to metrics.json, and how far a replay may differ from it. */
export const MetricPlan = z.strictObject({
  name: Name,
  type: z.enum(["int", "double", "bool", "string"]).default("double"),
  unit: z.string().optional(),
  /** Largest absolute difference a replay may show; 0 means identical. */
  tolerance: z.number().min(0).default(0),
  description: z.string().optional(),
});
export type MetricPlan = z.infer<typeof MetricPlan>;

export const ResourceLimits = z.strictObject({
  seconds: z.number().positive().max(86_400).default(120),
  memory_mb: z.int().min(16).max(65_536).default(512),
  cpus: z.number().positive().max(64).default(1),
  pids: z.int().min(4).max(4096).default(64),
  /** Space under /out, in megabytes. */
  output_mb: z.int().min(1).max(4096).default(32),
});
export type ResourceLimits = z.infer<typeof ResourceLimits>;

export const PlanData = z.strictObject({
  /** File name the experiment sees under /work/data. */
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  from: z.enum(["source", "project"]),
  /** Path in the project, where it comes from there. */
  path: z.string().optional(),
});

export type PlanData = z.infer<typeof PlanData>;

/** A pre-registered test. Its canonical JSON is hashed and recorded before anything runs; later changes are errors. */
export const TestPlan = z.strictObject({
  hypothesis: z.string().describe("id of the hypothesis it tests"),
  title: z.string().min(1).max(200),
  method: z.string().min(1).describe("what is done, in words"),
  data: z.array(PlanData).default([]),
  baseline: z.string().default("none"),
  split: z.string().default("none"),
  metrics: z.array(MetricPlan).min(1).max(200),
  image: z.string().describe("container image it runs on"),
  seeds: z.array(z.int()).default([0]),
  success_criterion: z.string().describe("CEL expression over metrics that must hold for the hypothesis to be met"),
  refutation_criterion: z.string().describe("CEL expression over metrics that refutes the hypothesis"),
  confounders: z.array(z.string()).default([]),
  limits: ResourceLimits.prefault({}),
});
export type TestPlan = z.infer<typeof TestPlan>;

export type Metrics = Record<string, number | boolean | string>;

/** What the frozen criteria say of the metrics; computed by code. */
export const ComputedOutcome = z.enum(["met", "refuted", "neither", "both", "not_evaluable"]);
export type ComputedOutcome = z.infer<typeof ComputedOutcome>;

export const ExecutionStatus = z.enum([
  "completed",
  "failed",
  "timed_out",
  "out_of_memory",
  "output_limit",
  "cancelled",
  "docker_unavailable",
  "image_unavailable",
  "interrupted",
]);
export type ExecutionStatus = z.infer<typeof ExecutionStatus>;

const FileEntry = z.object({ path: z.string(), size: z.int(), sha256: z.string() });

/** Everything recorded of one execution: `executions/<n>/result.json`. */
export const ExecutionResult = z.object({
  v: z.literal(1),
  experiment: z.string(),
  execution: z.int().min(1),
  /** The first execution of a plan decides; later ones are repeats. */
  confirmatory: z.boolean(),
  status: ExecutionStatus,
  /** Why it did not run or did not complete. */
  reason: z.string().optional(),
  exit_code: z.int().nullable(),
  metrics: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])).optional(),
  /** Why metrics.json could not be used. */
  metrics_problem: z.string().optional(),
  outcome: ComputedOutcome,
  plan_sha256: z.string(),
  code_sha256: z.string(),
  command: z.array(z.string()),
  image: z.string(),
  image_id: z.string().optional(),
  files: z.array(FileEntry.extend({ mode: z.string() })),
  artifacts: z.array(FileEntry),
  /** Artefacts that were not taken over, and why. */
  refused_artifacts: z.array(z.object({ path: z.string(), reason: z.string() })).default([]),
  stdout_head: z.string(),
  stdout_tail: z.string(),
  stderr_head: z.string(),
  stderr_tail: z.string(),
  stdout_bytes: z.int(),
  stderr_bytes: z.int(),
  /** Hashes of all it wrote, whether kept or not; left out where nobody was there to read it. */
  stdout_sha256: z.string().optional(),
  stderr_sha256: z.string().optional(),
  limits_hit: z.array(z.string()),
  environment: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  started_at: z.string(),
  ended_at: z.string(),
});
export type ExecutionResult = z.infer<typeof ExecutionResult>;

export const Review = z.object({
  experiment: z.string(),
  execution: z.int(),
  /** Where the execution is a repeat: the one that decided before it, perhaps on another branch of the run. */
  repeat_of: z.object({ experiment: z.string(), execution: z.int(), outcome: ComputedOutcome }).optional(),
  reviewer: z.string(),
  verdict: Verdict,
  outcome: ComputedOutcome,
  /** True when the verdict says otherwise than the computed outcome; then there is a reason. */
  disagrees: z.boolean(),
  disagreement_reason: z.string().optional(),
  summary: z.string(),
  limitations: z.array(z.string()),
  at: z.string(),
});
export type Review = z.infer<typeof Review>;

/** The name of a review's file; it holds the review's hash, so that none replaces another. */
export function reviewFile(review: Review): string {
  return `${review.reviewer}-${hashOf(review).slice(0, 8)}.json`;
}
