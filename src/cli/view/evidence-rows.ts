import type { RunState } from "../../engine/state/run-state.ts";
import type { Tone } from "../output/color.ts";
import { experimentEntry } from "../runs/digest.ts";
import { experimentState } from "../runs/digest-text.ts";
import { rowOf, type Row } from "./row.ts";

/** The latest experiments, newest last. */
export function experimentRows(state: RunState, width: number, height: number): Row[] {
  return latest([...state.experiments.values()], height).map((experiment) => {
    const entry = experimentEntry(state.run, experiment);
    const running = entry.executions.at(-1)?.status === "unfinished";
    const what = running ? `running, execution ${entry.executions.length}` : experimentState(entry);
    return rowOf(width, { text: "◇ ", tone: "accent" }, { text: what, tone: running ? "accent" : "strong" }, `  ${experiment.plan.title}`);
  });
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
      const tone: Tone = review.verdict === "supported" ? "good" : review.verdict === "contradicted" ? "bad" : "warn";
      return { at: review.at, glyph: "★", tone, label: review.verdict, text: review.summary };
    }),
  );
  const inOrder = [...findings, ...verdicts].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return latest(inOrder, height).map(({ glyph, tone, label, text }) => rowOf(width, { text: `${glyph} ${label}`, tone }, `  ${text}`));
}

function latest<T>(items: readonly T[], amount: number): readonly T[] {
  return amount <= 0 ? [] : items.slice(-amount);
}
