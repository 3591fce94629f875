import type { ExperimentView } from "./report-model.ts";

/** The metrics of all executions as a table, planned ones first; undefined where none was measured. */
export function listMetrics({ metrics, executions }: ExperimentView): { header: string[]; rows: string[][] } | undefined {
  const measured = executions.filter(({ metrics: values }) => Object.keys(values).length > 0);
  if (measured.length === 0) return undefined;
  const planned = metrics.map(({ name }) => name);
  const extra = Array.from(new Set(measured.flatMap(({ metrics: values }) => Object.keys(values)))).filter(
    (name) => !planned.includes(name),
  );
  const unitOf = new Map(metrics.map(({ name, unit }) => [name, unit ?? ""]));
  const rows = planned.concat(extra.toSorted()).map((name) => {
    const values = measured.map(({ metrics: all }) => (Object.hasOwn(all, name) ? String(all[name]) : "missing"));
    return [planned.includes(name) ? name : `${name} (not planned)`, unitOf.get(name) ?? ""].concat(values);
  });
  return { header: ["Metric", "Unit", ...measured.map(({ execution }) => `Execution ${execution}`)], rows };
}
