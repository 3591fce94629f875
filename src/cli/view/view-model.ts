import type { Ledger } from "../../engine/state/ledger.ts";
import type { RunState } from "../../engine/state/run-state.ts";
import { duration } from "../output/quantities.ts";
import { elapsedOf, glyphOf } from "../runs/agent-tree.ts";
import { alertRows, warningsOf } from "./alert-rows.ts";
import { waitingGate } from "./decision-rows.ts";
import { experimentRows, landedRows } from "./evidence-rows.ts";
import { findingsRows } from "./findings-page.ts";
import { footRow } from "./foot-row.ts";
import { headRows } from "./head-rows.ts";
import { helpRows, type Abilities } from "./help-page.ts";
import { pageRows } from "./page-rows.ts";
import { rowOf, splitRow, type Row } from "./row.ts";
import type { Screen } from "./screen.ts";
import type { Transcript } from "./transcript.ts";
import { lineOfAgent, treeLines, type TreeLine } from "./tree-lines.ts";
import { treeRows } from "./tree-rows.ts";

export interface ViewInput {
  state: RunState;
  ledger: Ledger;
  /** Epoch milliseconds. */
  now: number;
  columns: number;
  /** Rows of the terminal. */
  rows: number;
  /** Undefined where there are no keys, or none any more. */
  screen: Screen | undefined;
  /** Of the agent whose transcript is open. */
  transcript: Transcript | undefined;
  /** What was said to the person, in the order it was said. */
  said: readonly string[];
  /** What experiments are doing, by id. */
  progress: ReadonlyMap<string, string>;
  /** `hypo` as it has to be called where the person is. */
  hypo: string;
  abilities: Abilities;
}

export interface View {
  /** Fewer than the terminal has, none wider than it is. */
  rows: Row[];
  /** The tree as it is folded now, with what is hidden above and below. */
  lines: readonly TreeLine[];
  /** How far the open page can be moved. */
  maxScroll: number;
  /** Rows that a page key moves by. */
  pageHeight: number;
}

const HEAD = 3;
const FOOT = 1;

/** What the screen shows of a run. Pure: the same input gives the same rows. */
export function buildView(input: ViewInput): View {
  // One column and one row stay free: a full line would wrap, a full screen would scroll.
  const width = widthIn(input.columns);
  const height = Math.max(HEAD + FOOT + 2, input.rows - 1);
  const { kind } = input.screen?.page ?? { kind: "run" };
  return kind === "run" ? buildRun(input, width, height) : buildPage(input, width, height);
}

/** Columns of a row on a terminal of so many. */
export function widthIn(columns: number): number {
  return Math.max(20, columns - 1);
}

/** The tree gets what warnings, the latest findings (a third) and experiments (a fifth) leave of the height. */
function buildRun(input: ViewInput, width: number, height: number): View {
  const { state, ledger, now, screen, progress, abilities } = input;
  const room = height - HEAD - FOOT;
  const alerts = alertRows(state, warningsOf(state, input.said), input.hypo, width, alertHeight(state, room));
  const landed = landedRows(state, width, Math.min(Math.max(1, Math.floor(room / 3)), room - alerts.length - 1));
  const experiments = experimentRows(state, progress, width, Math.floor((room - alerts.length) / 5));
  const treeHeight = Math.max(1, room - alerts.length - landed.length - experiments.length);
  const lines = treeLines(state, treeHeight, screen?.folding);
  const selected = screen && lineOfAgent(lines, screen.selected, state);
  const tree = treeRows(lines, state, now, width, treeHeight, selected);
  return {
    rows: [...headRows(state, ledger, now, width), ...tree, ...experiments, ...landed, ...alerts, footRow(state, width, screen, abilities)],
    lines,
    maxScroll: 0,
    pageHeight: Math.max(1, treeHeight - 2),
  };
}

/** A gate holds the run up, so that it also gets what neither the tree nor findings and experiments can need. */
function alertHeight(state: RunState, room: number): number {
  const usual = Math.max(1, Math.floor(room / 5));
  if (!waitingGate(state)) return usual;
  return Math.max(usual, room - state.agents.size - Math.floor(room / 3) - Math.floor(room / 5));
}

function buildPage(input: ViewInput, width: number, height: number): View {
  const { state, screen, abilities } = input;
  const [title, all] = pageOf(input, width);
  const room = height - 1 - FOOT;
  const opensAt = screen?.page.kind === "transcript" ? "end" : "start";
  const { rows, maxScroll } = pageRows(all, width, room, screen?.scroll ?? 0, opensAt);
  return {
    rows: [title, ...rows, footRow(state, width, screen, abilities)],
    lines: [],
    maxScroll,
    pageHeight: Math.max(1, room - 2),
  };
}

function pageOf({ state, now, screen, transcript, said, hypo, abilities }: ViewInput, width: number): [title: Row, rows: readonly Row[]] {
  const page = screen?.page;
  if (page?.kind === "help") return [rowOf(width, { text: "Keys and signs", tone: "strong" }), helpRows(abilities, width)];
  if (page?.kind !== "transcript") {
    const title = rowOf(width, { text: "Findings: ", tone: "strong" }, state.question);
    return [title, findingsRows(state, warningsOf(state, said), hypo, width)];
  }
  const agent = state.agents.get(page.agent);
  const name = agent ? `${glyphOf(agent.status)} ${agent.id} ${agent.spec.name}` : page.agent;
  const right = agent ? `${agent.status} ${duration(elapsedOf(agent, state, now))}` : "";
  return [splitRow(width, { text: name, tone: "strong" }, { text: right, tone: "dim" }), transcript?.rowsAt(width) ?? []];
}
