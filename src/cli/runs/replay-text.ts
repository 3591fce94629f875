import type { MetricComparison, ReplayRecord } from "../../domain/replay.ts";
import type { Paint } from "../output/color.ts";
import { plainLine } from "../output/plain-text.ts";
import { cut } from "../output/width.ts";

const SHOWN = 60;

/** One replay as lines for people: the verdict, metric by metric, and what around the code was different. */
export function replayLines(record: ReplayRecord, paint: Paint): string[] {
  const { experiment, execution, replay, reproduced, reason, metrics, artifacts, environment_differences: differences } = record;
  const verdict = reproduced ? paint("good", "reproduced") : paint("bad", "not reproduced");
  const changed = artifacts.filter(({ comparison }) => comparison !== "identical");
  return [
    `${experiment} execution ${execution}, replay ${replay}: ${verdict}${reason === undefined ? "" : `: ${plainLine(reason)}`}`,
    ...metrics.map(metricLine),
    ...(changed.length === 0
      ? []
      : [`  artefacts that differ: ${changed.map(({ path, comparison }) => plainLine(`${path} (${comparison})`)).join(", ")}`]),
    differences.length === 0 ? "  environment: no differences" : "  environment differences (execution -> replay):",
    ...differences.map(({ name, original, replayed }) => `    ${plainLine(name)}: ${shown(original)} -> ${shown(replayed)}`),
  ];
}

function metricLine({ name, original, replayed, tolerance, comparison }: MetricComparison): string {
  const values = original === replayed ? shown(original) : `${shown(original)} -> ${shown(replayed)}`;
  const words = {
    identical: "identical",
    within_tolerance: `within the registered tolerance ${tolerance}`,
    different: `different (tolerance ${tolerance})`,
  };
  return `  ${name}: ${values}  ${words[comparison]}`;
}

function shown(value: MetricComparison["original"]): string {
  return value === undefined || value === "" ? "nothing" : cut(plainLine(String(value)), SHOWN);
}
