import type { Line, RowResult, Unit } from "./row.ts";

const HEADER = ["what", "hypo", "against", "its figure", "hypo / it", "goal", "processor, s", "peak, MB"];

/** A row's results as Markdown. */
export function markdownOf({ title, caveat, lines, growth, skipped }: RowResult): string {
  const table =
    lines.length === 0
      ? []
      : [lineOfCells(HEADER), lineOfCells(HEADER.map(() => "---")), ...lines.map((line) => lineOfCells(cellsOf(line))), ""];
  return [
    `### ${title}`,
    "",
    caveat,
    "",
    ...table,
    ...skipped.map(({ what, why }) => `- Not measured: ${what}: ${why}`),
    ...growth.map(
      ({ what, side, unit, points, exponent }) =>
        `- Growth of ${what}, ${side}: size^${exponent.toFixed(2)} (${points.map(({ size, cost }) => `${thousands(size)}: ${formatValue(cost, unit)}`).join(", ")})`,
    ),
    ...(growth.length + skipped.length > 0 ? [""] : []),
  ].join("\n");
}

/** The same as text in columns. */
export function textOf({ title, lines, growth, skipped }: RowResult): string {
  const rows = [HEADER, ...lines.map(cellsOf)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return [
    title,
    ...(lines.length === 0
      ? []
      : rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd())),
    ...skipped.map(({ what, why }) => `  not measured: ${what}: ${why}`),
    ...growth.map(({ what, side, exponent }) => `  growth of ${what}, ${side}: size^${exponent.toFixed(2)}`),
    "",
  ].join("\n");
}

function cellsOf({ what, unit, hypo, other, cpuMs, peakMb, goal, met }: Line): string[] {
  return [
    what,
    formatValue(hypo, unit),
    other?.name ?? "",
    other === undefined ? "" : formatValue(other.value, unit),
    other === undefined ? "" : `${short(other.ratio.median)} (${short(other.ratio.low)} to ${short(other.ratio.high)})`,
    goal === undefined ? "" : `${goal}: ${met === undefined ? "unknown" : met ? "met" : "missed"}`,
    pairOf(
      cpuMs.map((ms) => ms && ms / 1000),
      other !== undefined,
    ),
    pairOf(peakMb, other !== undefined),
  ];
}

function pairOf([hypo, other]: readonly (number | undefined)[], isCompared: boolean): string {
  const first = hypo === undefined ? "?" : short(hypo);
  return isCompared ? `${first} / ${other === undefined ? "?" : short(other)}` : first;
}

function formatValue(value: number, unit: Unit): string {
  if (unit === "score") return value.toFixed(3);
  if (unit === "ms" && value >= 10_000) return `${short(value / 1000)} s`;
  return `${short(value)} ${unit}`;
}

/** Three significant digits. */
function short(value: number): string {
  return value >= 1000 ? thousands(Math.round(value)) : String(Number(value.toPrecision(3)));
}

function thousands(value: number): string {
  return value.toLocaleString("en-GB");
}

function lineOfCells(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
