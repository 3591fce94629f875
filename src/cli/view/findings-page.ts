import type { Evidence } from "../../domain/finding.ts";
import type { RunState } from "../../engine/state/run-state.ts";
import type { Tone } from "../output/color.ts";
import { experimentEntry } from "../runs/digest.ts";
import { experimentState } from "../runs/digest-text.ts";
import { decisionRows, waitingGate } from "./decision-rows.ts";
import { rowOf, textRows, type Row } from "./row.ts";

/**
 * What waits for the person, all that was found and tested so far, with quotes and reviews, and every warning; oldest
 * first.
 *
 * @param hypo `hypo` as it has to be called where the person is
 */
export function findingsRows(state: RunState, warnings: readonly string[], hypo: string, width: number): Row[] {
  const gate = waitingGate(state);
  const rows = [
    ...section("Findings", findingRows(state, width)),
    ...section("Hypotheses", hypothesisRows(state, width)),
    ...section("Experiments", experimentRows(state, width)),
  ];
  if (rows.length === 0) rows.push(rowOf(width, { text: "Nothing has been found yet.", tone: "dim" }));
  const said = warnings.flatMap((each) => textRows(each, width, 0));
  return [...section("Decision", gate ? decisionRows(gate, state.run, hypo, width) : []), ...rows, ...section("Warnings", said)];
}

function* findingRows({ findings, sources }: RunState, width: number): Iterable<Row> {
  for (const { finding } of findings.values()) {
    const { id, type, status, statement, evidence, counterevidence } = finding;
    const tone: Tone = status === "contested" || status === "rejected" ? "warn" : "good";
    yield rowOf(width, { text: `◆ ${type}, ${status}`, tone }, { text: `  ${id} by ${finding.agent}`, tone: "dim" });
    yield* textRows(statement, width, 2);
    yield* quoteRows("for", evidence, sources, width);
    yield* quoteRows("against", counterevidence, sources, width);
  }
}

function* quoteRows(side: string, evidence: readonly Evidence[], sources: RunState["sources"], width: number): Iterable<Row> {
  for (const { quote, source } of evidence) {
    yield* textRows(`${side}: “${quote}”`, width, 4, "dim");
    yield* textRows(sources.get(source)?.url ?? source.slice(0, 12), width, 6, "dim");
  }
}

function* hypothesisRows({ hypotheses }: RunState, width: number): Iterable<Row> {
  for (const { id, statement, state } of hypotheses.values()) {
    yield rowOf(width, { text: `★ ${state}`, tone: verdictTone(state) }, { text: `  ${id}`, tone: "dim" });
    yield* textRows(statement, width, 2);
  }
}

function* experimentRows({ run, experiments }: RunState, width: number): Iterable<Row> {
  for (const experiment of experiments.values()) {
    const { plan, reviews, id } = experiment;
    const what = experimentState(experimentEntry(run, experiment));
    yield rowOf(width, { text: `◇ ${what}`, tone: "accent" }, { text: `  ${id}`, tone: "dim" });
    yield* textRows(plan.title, width, 2);
    yield* textRows(`success: ${plan.success_criterion}`, width, 4, "dim");
    yield* textRows(`refutation: ${plan.refutation_criterion}`, width, 4, "dim");
    for (const { reviewer, verdict, summary } of reviews) {
      yield* textRows(`${verdict} by ${reviewer}: ${summary}`, width, 2, verdictTone(verdict));
    }
  }
}

/** The tone of what became of a hypothesis. */
export function verdictTone(state: string): Tone {
  if (state === "supported") return "good";
  return state === "contradicted" ? "bad" : "warn";
}

function section(title: string, rows: Iterable<Row>): Row[] {
  const all = [...rows];
  return all.length === 0 ? [] : [[{ text: title, tone: "strong" }], ...all];
}
