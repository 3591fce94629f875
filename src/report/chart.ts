import type { Metrics } from "../domain/experiment.ts";
import { html, type Html } from "./html-text.ts";
import type { ExperimentView } from "./report-model.ts";

const WIDTH = 640;
const LABELS = 240;
const VALUES = 90;
const ROW = 24;
/** Bars in one chart; the table beside it holds every metric. */
const MOST_BARS = 40;

interface Bar {
  label: string;
  value: number;
}

/** Bar charts of an experiment's numeric metrics, one for each unit, since bars of different units say nothing together. */
export function drawCharts({ id, metrics, executions }: ExperimentView): Html[] {
  const units = Map.groupBy(metrics, ({ unit }) => unit ?? "");
  return Array.from(units, ([unit, planned]) => {
    const bars = executions.flatMap(({ execution, metrics: values }) =>
      planned.flatMap(({ name }) => barOf(values, name, execution, executions.length > 1)),
    );
    return bars.length === 0 ? undefined : drawChart(`Metrics of ${id}${unit === "" ? "" : ` in ${unit}`}`, bars);
  }).filter((chart) => chart !== undefined);
}

function barOf(values: Metrics, name: string, execution: number, severalExecutions: boolean): Bar[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (typeof value !== "number" || !Number.isFinite(value)) return [];
  return [{ label: severalExecutions ? `${name}, execution ${execution}` : name, value }];
}

function drawChart(title: string, all: Bar[]): Html {
  const bars = all.slice(0, MOST_BARS);
  const low = Math.min(0, ...bars.map(({ value }) => value));
  const high = Math.max(0, ...bars.map(({ value }) => value));
  // Halves keep a span of extreme values finite.
  const span = high / 2 - low / 2 || 1;
  const at = (value: number): number => LABELS + ((value / 2 - low / 2) / span) * (WIDTH - LABELS - VALUES);
  const height = bars.length * ROW + 8;
  const rows = bars.map((bar, index) => drawBar(bar, index * ROW + 4, at));
  const left = all.length > bars.length ? `; ${all.length - bars.length} more are in the table` : "";
  const summary = bars.map(({ label, value }) => `${label}: ${value}`).join("; ");
  const zero = round(at(0));
  return html`<figure><svg role="img" aria-label="${title}. ${summary}" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}"><title>${title}</title>${rows}<line x1="${zero}" y1="0" x2="${zero}" y2="${height}"/></svg><figcaption class="note">${title}${left}.</figcaption></figure>\n`;
}

function drawBar({ label, value }: Bar, y: number, at: (value: number) => number): Html {
  const [from, to] = [at(Math.min(0, value)), at(Math.max(0, value))];
  const text = `${y + 15}`;
  return html`<text x="${LABELS - 8}" y="${text}" text-anchor="end">${shorten(label)}</text><rect x="${round(from)}" y="${y + 3}" width="${round(Math.max(1, to - from))}" height="${ROW - 8}"/><text x="${round(to + 6)}" y="${text}">${Number(value.toPrecision(6))}</text>`;
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

function shorten(label: string): string {
  const letters = Array.from(label);
  return letters.length <= 34 ? label : `${letters.slice(0, 33).join("")}…`;
}
