import type { RunState } from "../../engine/state/run-state.ts";
import type { Tone } from "../output/color.ts";
import { experimentEntry } from "../runs/digest.ts";
import { experimentState } from "../runs/digest-text.ts";
import { verdictTone } from "./findings-page.ts";
import { rowOf, type Row } from "./row.ts";

/** The latest experiments, with what their containers do; those at work come last, since they are cut off last. */
export function experimentRows(state: RunState, progress: ReadonlyMap<string, string>, width: number, height: number): Row[] {
  const entries = [...state.experiments.values()].map((experiment) => {
    const entry = experimentEntry(state.run, experiment);
    return { entry, isRunning: entry.executions.at(-1)?.status === "unfinished" };
  });
  const inOrder = [...entries.filter(({ isRunning }) => !isRunning), ...entries.filter(({ isRunning }) => isRunning)];
  return latest(inOrder, height).map(({ entry, isRunning }) => {
    const what = isRunning ? runningText(progress.get(entry.id), entry.executions.length) : experimentState(entry);
    return rowOf(width, { text: "◇ ", tone: "accent" }, { text: what, tone: isRunning ? "accent" : "strong" }, `  ${entry.title}`);
  });
}

function runningText(progress: string | undefined, execution: number): string {
  return `${progress ?? "running"}${execution > 1 ? ` (execution ${execution})` : ""}`;
}

interface Landed {
  at: string;
  glyph: string;
  tone: Tone;
  label: string;
  text: string;
}

/** The latest findings and verdicts in the order they landed, newest last. */
export function landedRows(state: RunState, width: number, height: number): Row[] {
  const findings = [...state.findings.values()].map(({ finding }): Landed => {
    const { created: at, type, status, statement: text } = finding;
    return { at, glyph: "◆", tone: status === "contested" || status === "rejected" ? "warn" : "good", label: type, text };
  });
  const verdicts = [...state.experiments.values()].flatMap(({ reviews }) =>
    reviews.map((review): Landed => {
      return { at: review.at, glyph: "★", tone: verdictTone(review.verdict), label: review.verdict, text: review.summary };
    }),
  );
  const inOrder = [...findings, ...verdicts].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return latest(inOrder, height).map(({ glyph, tone, label, text }) => rowOf(width, { text: `${glyph} ${label}`, tone }, `  ${text}`));
}

function latest<T>(items: readonly T[], amount: number): readonly T[] {
  return amount <= 0 ? [] : items.slice(-amount);
}
