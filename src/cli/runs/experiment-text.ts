import type { TestPlan } from "../../domain/experiment.ts";
import type { ExecutionRecord, ExperimentRecord } from "../../engine/state/run-state.ts";
import type { Review } from "../../domain/experiment.ts";
import type { Paint } from "../output/color.ts";
import { plainBlock, plainLine } from "../output/plain-text.ts";

/** One experiment as lines for people: the frozen plan, then what was executed, then what reviewers said. */
export function experimentLines(run: string, experiment: ExperimentRecord, paint: Paint): string[] {
  const { id, author, plan, planSha256, executions, reviews } = experiment;
  return [
    paint("strong", plainLine(plan.title)),
    `${id}  run ${run}  registered by ${author}`,
    "",
    paint("strong", "Plan (frozen before anything ran)"),
    ...planLines(plan),
    `  sha256      ${planSha256}`,
    "",
    paint("strong", "Executions"),
    ...(executions.length === 0 ? ["  none yet"] : executions.flatMap(executionLines)),
    "",
    paint("strong", "Reviews"),
    ...(reviews.length === 0 ? ["  none yet"] : reviews.flatMap((review) => reviewLines(review, paint))),
  ];
}

function planLines(plan: TestPlan): string[] {
  const rows: (readonly [string, string])[] = [
    ["hypothesis", plan.hypothesis],
    ["method", plan.method],
    ["success", plan.success_criterion],
    ["refutation", plan.refutation_criterion],
    ["baseline", plan.baseline],
    ["split", plan.split],
    [
      "metrics",
      plan.metrics.map((metric) => `${metric.name} (${metric.type}${metric.unit === undefined ? "" : `, ${metric.unit}`})`).join(", "),
    ],
    ["data", plan.data.map((each) => `${each.name} ${each.sha256.slice(0, 12)}`).join(", ") || "none"],
    ["seeds", plan.seeds.join(", ")],
    ["confounders", plan.confounders.join("; ") || "none named"],
    ["image", plan.image],
    ["limits", `${plan.limits.seconds} s, ${plan.limits.memory_mb} MB, ${plan.limits.cpus} CPU`],
  ];
  return rows.map(([name, text]) => `  ${name.padEnd(11)} ${plainBlock(text).replaceAll("\n", `\n${" ".repeat(14)}`)}`);
}

function executionLines({ execution, agent, finished }: ExecutionRecord): string[] {
  if (!finished) return [`  ${execution}  unfinished  by ${agent}`];
  const exit = finished.exitCode === null ? "" : `  exit ${finished.exitCode}`;
  const lines = [`  ${execution}  ${finished.status}  outcome ${finished.outcome}${exit}  by ${agent}`];
  if (finished.reason !== undefined) lines.push(`     ${plainLine(finished.reason)}`);
  for (const [name, value] of Object.entries(finished.metrics ?? {})) lines.push(`     ${plainLine(name)} = ${plainLine(String(value))}`);
  return lines;
}

function reviewLines(review: Review, paint: Paint): string[] {
  const against = review.disagrees ? paint("warn", `  against the computed outcome (${review.outcome})`) : "";
  const lines = [`  ${review.reviewer}  execution ${review.execution}  ${review.verdict}${against}`, `     ${plainLine(review.summary)}`];
  if (review.disagreement_reason !== undefined) lines.push(`     why: ${plainLine(review.disagreement_reason)}`);
  for (const limitation of review.limitations) lines.push(`     limitation: ${plainLine(limitation)}`);
  return lines;
}
