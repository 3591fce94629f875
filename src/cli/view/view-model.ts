import type { Ledger } from "../../engine/state/ledger.ts";
import { openGate, type RunState } from "../../engine/state/run-state.ts";
import { experimentRows, landedRows } from "./evidence-rows.ts";
import { headRows } from "./head-rows.ts";
import { rowOf, type Row } from "./row.ts";
import { treeRows } from "./tree-rows.ts";

export interface ViewInput {
  state: RunState;
  ledger: Ledger;
  /** Epoch milliseconds. */
  now: number;
  columns: number;
  /** Rows of the terminal. */
  rows: number;
  /** Lines of the tree left out at the top. */
  scroll: number;
}

export interface View {
  /** Fewer than the terminal has, none wider than it is. */
  rows: Row[];
  maxScroll: number;
}

const HEAD = 3;
const FOOT = 1;

/**
 * What the screen shows of a run. Pure: the same input gives the same rows.
 *
 * The tree gets what the latest findings (a third) and experiments (a fifth) leave of the height.
 */
export function buildView(input: ViewInput): View {
  const { state, ledger, now } = input;
  // One column and one row stay free: a full line would wrap, a full screen would scroll.
  const width = Math.max(20, input.columns - 1);
  const height = Math.max(HEAD + FOOT + 2, input.rows - 1);
  const room = height - HEAD - FOOT;
  const landed = landedRows(state, width, Math.max(1, Math.floor(room / 3)));
  const experiments = experimentRows(state, width, Math.floor(room / 5));
  const tree = treeRows(state, now, width, Math.max(1, room - landed.length - experiments.length), input.scroll);
  return {
    rows: [...headRows(state, ledger, now, width), ...tree.rows, ...experiments, ...landed, footRow(state, width, tree.maxScroll > 0)],
    maxScroll: tree.maxScroll,
  };
}

/** What matters most now: the end, a question to a person, stopping, or the keys. */
function footRow(state: RunState, width: number, canScroll: boolean): Row {
  const gate = openGate(state);
  if (state.finish) return rowOf(width, { text: `${state.finish.reason}: ${state.finish.detail}`, tone: "strong" });
  if (gate) return rowOf(width, { text: `? ${gate.prompt}`, tone: "warn" });
  if (state.stopping) return rowOf(width, { text: `stopping: ${state.stopping.reason}: ${state.stopping.detail}`, tone: "warn" });
  return rowOf(width, { text: `Ctrl-C saves and stops${canScroll ? " · ↑↓ scroll" : ""}`, tone: "dim" });
}
