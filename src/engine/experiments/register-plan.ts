import { z } from "zod";
import { MetricPlan, ResourceLimits, TestPlan } from "../../domain/experiment.ts";
import { hashOf } from "../../domain/hash.ts";
import type { ItemId } from "../../domain/ids.ts";
import { event } from "../run-log.ts";
import type { HypothesisRecord } from "../state/run-state.ts";
import type { ExperimentContext } from "./experiment-context.ts";
import { hashData } from "./plan-data.ts";

/** What Docker allows at least. */
const LEAST_CPUS = 0.01;

/** A plan as it is handed in: data by place instead of hash, the image only where it is not the usual one. */
export const PlanInput = TestPlan.omit({ data: true, image: true, metrics: true, limits: true }).extend({
  metrics: z
    .array(MetricPlan)
    .min(1)
    .max(200)
    .describe("every number the experiment writes to /out/metrics.json: exactly these names, each once, nothing else"),
  image: z.string().optional().describe("container image; the configured one where left out"),
  // Bounded here and not in the plan itself: plans that were registered before must stay readable.
  limits: ResourceLimits.extend({ cpus: ResourceLimits.shape.cpus.unwrap().min(LEAST_CPUS).default(1) }).prefault({}),
  data: z
    .array(z.strictObject({ name: z.string().regex(/^[\w.-]{1,100}$/), source: z.string().optional(), path: z.string().optional() }))
    .max(50)
    .default([])
    .describe("files it may read under /work/data: a source id or a path in the project each"),
});
export type PlanInput = z.output<typeof PlanInput>;

export interface RegisteredPlan {
  id: ItemId;
  plan: TestPlan;
  planSha256: string;
}

type PlanPlaces = Pick<ExperimentContext["run"], "ports" | "config">;

/**
 * The plan as it will be registered: with its image, and its data by hash. What is wrong with it is told instead.
 *
 * @throws HypoError `refused`, `path_refused` where a data file cannot be found.
 */
export async function freezePlan(input: PlanInput, run: PlanPlaces): Promise<{ plan: TestPlan } | { problems: string[] }> {
  const { sandbox, criteria } = run.ports;
  const image = input.image ?? (await sandbox.defaultImage());
  const data = await Promise.all(input.data.map((file) => hashData(file, run.ports)));
  const plan = TestPlan.parse({ ...input, image, data });
  const problems = [...criteria.check(plan), ...twice(data), ...overLimits(plan, run)];
  return problems.length > 0 ? { problems } : { plan };
}

/**
 * Makes a frozen plan a fact in the journal, and then a file.
 *
 * @param hypothesis the run's own record of what is tested, if it has one; it becomes testable
 */
export async function recordPlan(
  id: ItemId,
  plan: TestPlan,
  hypothesis: HypothesisRecord | undefined,
  { run, agent, call }: ExperimentContext,
): Promise<RegisteredPlan> {
  const planSha256 = hashOf(plan);
  await run.log.record(
    event("plan_registered", { agent, call, experiment: id, plan, plan_sha256: planSha256 }),
    ...makeTestable(hypothesis, id, agent),
  );
  run.crashAt("plan.recorded");
  await run.ports.sandbox.savePlan(id, plan, planSha256);
  return { id, plan, planSha256 };
}

function twice(data: TestPlan["data"]): string[] {
  const names = data.map(({ name }) => name.toLowerCase());
  return data.filter(({ name }, index) => names.indexOf(name.toLowerCase()) < index).map(({ name }) => `data: ${name} is named twice.`);
}

function overLimits({ image, limits }: TestPlan, { ports, config }: PlanPlaces): string[] {
  const { experiment } = config;
  const allowed = ports.sandbox.allowedImages();
  const over = (name: "seconds" | "memory_mb" | "cpus"): string[] =>
    limits[name] > experiment[name] ? [`limits.${name} is ${limits[name]}, and at most ${experiment[name]} is allowed here.`] : [];
  return [
    ...(allowed.includes(image) ? [] : [`image ${image} is not allowed; use ${allowed.join(" or ")}.`]),
    ...over("seconds"),
    ...over("memory_mb"),
    ...over("cpus"),
  ];
}

function makeTestable(hypothesis: HypothesisRecord | undefined, experiment: ItemId, agent: string) {
  if (hypothesis?.state !== "proposed") return [];
  return [event("hypothesis_moved", { agent, hypothesis: hypothesis.id, from: "proposed", to: "testable", because: experiment })];
}
