import { z } from "zod";
import { MetricPlan, TestPlan } from "../../domain/experiment.ts";
import { HypoError } from "../../domain/errors.ts";
import { hashOf, sha256 } from "../../domain/hash.ts";
import { itemIdFor } from "../../domain/ids.ts";
import { event } from "../run-log.ts";
import type { HypothesisRecord } from "../state/run-state.ts";
import { defineTool, refusal, say, type ToolCallContext } from "./tool.ts";

const Input = TestPlan.omit({ data: true, image: true, metrics: true }).extend({
  metrics: z.array(MetricPlan).min(1).max(200).describe("every number the experiment writes to /out/metrics.json"),
  image: z.string().optional().describe("container image; the configured one where left out"),
  data: z
    .array(z.strictObject({ name: z.string().regex(/^[\w.-]{1,100}$/), source: z.string().optional(), path: z.string().optional() }))
    .max(50)
    .default([])
    .describe("files it may read under /work/data: a source id or a path in the project each"),
});

export const registerExperiment = defineTool({
  name: "register_experiment",
  description: `Freezes the plan of a test before it runs; nothing of it can be changed later. Criteria are CEL expressions over metrics, for example metrics.rmse < 0.9 * metrics.baseline_rmse. They must be able to come out either way. The experiment sees its files in /work (read-only), writes /out/metrics.json (one flat object of the metrics) and has no network.`,
  input: Input,
  class: "reconcilable",
  async run(input, context) {
    const { run, agent, call } = context;
    const known = [...run.log.state.experiments.values()].find((each) => each.call === call && each.author === agent);
    if (known) {
      await run.ports.sandbox.savePlan(known.id, known.plan, known.planSha256);
      return say(describe(known.id, known.plan, known.planSha256));
    }
    const id = itemIdFor("x", run.id, agent, call, run.course);
    const hypothesis = run.log.state.hypotheses.get(input.hypothesis);
    if (!hypothesis) return refusal(`There is no hypothesis ${input.hypothesis}. Publish it first with publish_finding, type hypothesis.`);
    const plan = await freezePlan(input, context);
    const problems = [...run.ports.criteria.check(plan), ...overLimits(plan, context)];
    if (problems.length > 0) return refusal(`The plan is not registered:\n${problems.map((each) => `- ${each}`).join("\n")}`);
    const planSha256 = hashOf(plan);
    await run.log.record(
      event("plan_registered", { agent, call, experiment: id, plan, plan_sha256: planSha256 }),
      ...makeTestable(hypothesis, id, agent),
    );
    run.crashAt("plan.recorded");
    await run.ports.sandbox.savePlan(id, plan, planSha256);
    return say(describe(id, plan, planSha256));
  },
});

async function freezePlan(input: z.output<typeof Input>, context: ToolCallContext): Promise<TestPlan> {
  const { sandbox } = context.run.ports;
  const image = input.image ?? (await sandbox.defaultImage());
  const data = await Promise.all(input.data.map((file) => hashData(file, context)));
  return TestPlan.parse({ ...input, image, data });
}

async function hashData(
  file: { name: string; source?: string | undefined; path?: string | undefined },
  { run }: ToolCallContext,
): Promise<TestPlan["data"][number]> {
  if (file.path !== undefined)
    return { name: file.name, sha256: sha256(await run.ports.project.bytes(file.path)), from: "project", path: file.path };
  const source = file.source === undefined ? undefined : await run.ports.sources.find(file.source);
  if (!source)
    throw new HypoError("refused", `Data file ${file.name} names neither a known source nor a path in the project.`, {
      hint: "download_source gives a source id.",
    });
  return { name: file.name, sha256: source.id, from: "source" };
}

function overLimits({ image, limits }: TestPlan, { run }: ToolCallContext): string[] {
  const { experiment } = run.config;
  const allowed = run.ports.sandbox.allowedImages();
  const over = (name: "seconds" | "memory_mb" | "cpus"): string[] =>
    limits[name] > experiment[name] ? [`limits.${name} is ${limits[name]}, and at most ${experiment[name]} is allowed here.`] : [];
  return [
    ...(allowed.includes(image) ? [] : [`image ${image} is not allowed; use ${allowed.join(" or ")}.`]),
    ...over("seconds"),
    ...over("memory_mb"),
    ...over("cpus"),
  ];
}

function makeTestable(hypothesis: HypothesisRecord, experiment: string, agent: string) {
  if (hypothesis.state !== "proposed") return [];
  return [event("hypothesis_moved", { agent, hypothesis: hypothesis.id, from: "proposed", to: "testable", because: experiment })];
}

function describe(id: string, plan: TestPlan, planSha256: string): string {
  return `Registered ${id}, frozen as ${planSha256.slice(0, 12)}, on image ${plan.image}. Run it with run_experiment: files, and a command such as ["python3", "/work/main.py"]. Metrics: ${plan.metrics.map((metric) => `${metric.name} (${metric.type})`).join(", ")}.`;
}
