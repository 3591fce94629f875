import type { ExecutionResult, Metrics, MetricPlan, TestPlan } from "../domain/experiment.ts";
import type { EnvironmentDifference, MetricComparison, ReplayRecord } from "../domain/replay.ts";

/** What differs by design from one container to the next and cannot change a number. */
const INCIDENTAL = new Set(["uid"]);

/**
 * A replay beside the execution it repeats. It is reproduced where it ended in the same way and every metric is
 * identical or within the tolerance that the plan registered. Pure.
 */
export function compareReplay(
  plan: Pick<TestPlan, "metrics">,
  original: ExecutionResult,
  replayed: ExecutionResult,
): Pick<ReplayRecord, "reproduced" | "reason" | "metrics" | "artifacts" | "environment_differences"> {
  const metrics = plan.metrics.map((metric) => compareMetric(metric, original.metrics, replayed.metrics));
  const reason = reasonAgainst(original, replayed, metrics);
  return {
    reproduced: reason === undefined,
    ...(reason === undefined ? {} : { reason }),
    metrics,
    artifacts: compareArtifacts(original.artifacts, replayed.artifacts),
    environment_differences: compareEnvironments(original.environment, replayed.environment),
  };
}

function reasonAgainst(original: ExecutionResult, replayed: ExecutionResult, metrics: MetricComparison[]): string | undefined {
  const ending = ({ status, exit_code }: ExecutionResult): string =>
    exit_code === null || exit_code === 0 ? status : `${status} with exit code ${exit_code}`;
  if (ending(original) !== ending(replayed)) return `it was ${ending(original)}, and the replay is ${ending(replayed)}`;
  if ((original.metrics === undefined) !== (replayed.metrics === undefined))
    return replayed.metrics === undefined
      ? `the replay has no usable metrics: ${replayed.metrics_problem ?? "none were written"}`
      : "the replay has metrics, and the execution had none";
  if (original.status !== "completed" || original.metrics === undefined) return undefined;
  const different = metrics.filter(({ comparison }) => comparison === "different").map(({ name }) => name);
  return different.length === 0 ? undefined : `beyond the registered tolerance: ${different.join(", ")}`;
}

function compareMetric(metric: MetricPlan, original: Metrics | undefined, replayed: Metrics | undefined): MetricComparison {
  const [before, after] = [original?.[metric.name], replayed?.[metric.name]];
  return {
    name: metric.name,
    ...(before === undefined ? {} : { original: before }),
    ...(after === undefined ? {} : { replayed: after }),
    tolerance: metric.tolerance,
    comparison: compareValues(before, after, metric.tolerance),
  };
}

function compareValues(
  before: Metrics[string] | undefined,
  after: Metrics[string] | undefined,
  tolerance: number,
): MetricComparison["comparison"] {
  if (before === after) return "identical";
  if (typeof before !== "number" || typeof after !== "number") return "different";
  return Math.abs(before - after) <= tolerance ? "within_tolerance" : "different";
}

function compareArtifacts(original: ExecutionResult["artifacts"], replayed: ExecutionResult["artifacts"]): ReplayRecord["artifacts"] {
  const before = new Map(original.map(({ path, sha256 }) => [path, sha256]));
  const after = new Map(replayed.map(({ path, sha256 }) => [path, sha256]));
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().map((path) => ({
    path,
    comparison: !after.has(path) ? "missing" : !before.has(path) ? "new" : before.get(path) === after.get(path) ? "identical" : "different",
  }));
}

/** Names and both values of what around the code is not the same; of lists, only the items that one of them lacks. */
export function compareEnvironments(
  original: ExecutionResult["environment"],
  replayed: ExecutionResult["environment"],
): EnvironmentDifference[] {
  const names = [...new Set([...Object.keys(original), ...Object.keys(replayed)])].toSorted().filter((name) => !INCIDENTAL.has(name));
  return names.flatMap((name) => {
    const [before, after] = [itemsOf(original[name]), itemsOf(replayed[name])];
    const lost = before.filter((item) => !after.includes(item)).join(" ");
    const gained = after.filter((item) => !before.includes(item)).join(" ");
    return lost === gained ? [] : [{ name, original: lost, replayed: gained }];
  });
}

function itemsOf(value: ExecutionResult["environment"][string] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [String(value)];
}
