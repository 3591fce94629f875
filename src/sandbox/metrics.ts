import type { MetricPlan, Metrics } from "../domain/experiment.ts";
import { readFlatObject } from "./flat-json.ts";

/** The largest metrics.json that is read, in bytes. */
export const METRICS_BYTES_MAX = 1024 * 1024;

export type MetricsReading = { metrics: Metrics } | { problem: string };

/**
 * The metrics that an experiment wrote, or why they cannot be used. The file must be UTF-8 without a byte order
 * mark, at most 1 MiB, and one flat JSON object that holds every declared metric once and nothing else; numbers must
 * be finite, and `int` metrics whole and exactly representable (±2^53).
 */
export function readMetrics(bytes: Uint8Array, plan: readonly MetricPlan[]): MetricsReading {
  if (bytes.length > METRICS_BYTES_MAX) return { problem: `metrics.json has ${bytes.length} bytes; at most ${METRICS_BYTES_MAX} are read` };
  const text = decodeUtf8(bytes);
  if (text === undefined) return { problem: "metrics.json is not valid UTF-8" };
  const reading = readFlatObject(text);
  if ("problem" in reading) return { problem: `metrics.json: ${reading.problem}` };
  const problem = firstProblem(reading.members, plan);
  return problem === undefined ? { metrics: Object.fromEntries(reading.members) } : { problem: `metrics.json: ${problem}` };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function firstProblem(members: ReadonlyMap<string, number | boolean | string>, plan: readonly MetricPlan[]): string | undefined {
  for (const metric of plan) {
    const value = members.get(metric.name);
    if (value === undefined) return `the metric ${JSON.stringify(metric.name)} is missing`;
    const mismatch = typeProblem(metric, value);
    if (mismatch !== undefined) return mismatch;
  }
  const declared = new Set(plan.map((metric) => metric.name));
  const extra = [...members.keys()].find((name) => !declared.has(name));
  return extra === undefined ? undefined : `${JSON.stringify(extra)} is not a metric of the plan`;
}

function typeProblem(metric: MetricPlan, value: number | boolean | string): string | undefined {
  const wanted = WANTED[metric.type];
  if (typeof value !== wanted.kind) return `the metric ${JSON.stringify(metric.name)} must be ${wanted.words}, not a ${typeof value}`;
  if (metric.type !== "int" || Number.isSafeInteger(value)) return undefined;
  return `the metric ${JSON.stringify(metric.name)} must be a whole number within ±2^53, not ${value}`;
}

const WANTED: Record<MetricPlan["type"], { kind: string; words: string }> = {
  double: { kind: "number", words: "a number" },
  int: { kind: "number", words: "a whole number" },
  bool: { kind: "boolean", words: "true or false" },
  string: { kind: "string", words: "a string" },
};
