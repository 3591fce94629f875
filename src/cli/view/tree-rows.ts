import type { AgentState, RunState } from "../../engine/state/run-state.ts";
import type { Tone } from "../output/color.ts";
import { count, duration, money } from "../output/quantities.ts";
import { fit } from "../output/width.ts";
import { plainLine } from "../output/plain-text.ts";
import { elapsedOf, glyphOf } from "../runs/agent-tree.ts";
import { rowOf, type Row } from "./row.ts";
import { treeLines, type TreeLine } from "./tree-lines.ts";

const TONES: Readonly<Record<AgentState["status"], Tone | undefined>> = {
  spawned: "dim",
  running: "accent",
  completed: "good",
  failed: "bad",
  cancelled: "warn",
  interrupted: "warn",
  timed_out: "warn",
  no_result: "warn",
};

export interface TreePart {
  rows: Row[];
  /** How far the tree can be scrolled at this size. */
  maxScroll: number;
}

/**
 * The agent tree in at most `height` rows of `width` columns.
 *
 * @param scroll lines left out at the top
 * @param now epoch milliseconds
 */
export function treeRows(state: RunState, now: number, width: number, height: number, scroll: number): TreePart {
  const lines = treeLines(state, height);
  if (lines.length <= height) return { rows: lines.map((line) => lineRow(line, state, now, width)), maxScroll: 0 };
  const maxScroll = lines.length - Math.max(1, height - 2);
  const start = Math.min(Math.max(0, scroll), maxScroll);
  const above = start > 0 ? 1 : 0;
  let shown = lines.slice(start + above, start + height);
  const below = lines.length - (start + above + shown.length);
  if (below > 0) shown = shown.slice(0, -1);
  const hidden = lines.length - (start + above) - shown.length;
  return {
    rows: [
      ...(above ? [rowOf(width, { text: `  ↑ ${start + 1} more`, tone: "dim" })] : []),
      ...shown.map((line) => lineRow(line, state, now, width)),
      ...(hidden > 0 ? [rowOf(width, { text: `  +${hidden} more`, tone: "dim" })] : []),
    ],
    maxScroll,
  };
}

function lineRow(line: TreeLine, state: RunState, now: number, width: number): Row {
  // Deep trees keep room for names: from a quarter of the width on, depth is no longer indented.
  const indent = " ".repeat(Math.min(line.depth * 2, Math.floor(width / 4)));
  if (line.kind === "finished") return rowOf(width, indent, { text: `✓ ${line.amount} finished`, tone: "dim" });
  const { agent, folded } = line;
  const columns = factColumns(agent, state, now, width);
  const taken = columns.reduce((sum, column) => sum + column.width + 1, 0);
  const name = `${plainLine(agent.spec.name)}${folded > 0 ? ` (+${folded})` : ""}`;
  return [
    { text: `${indent}${glyphOf(agent.status)} `, tone: TONES[agent.status] },
    { text: fit(name, Math.max(1, width - indent.length - 2 - taken)), tone: agent.status === "spawned" ? "dim" : undefined },
    ...columns.map((column): { text: string; tone: Tone } => ({ text: ` ${fit(column.text, column.width, column.side)}`, tone: "dim" })),
  ];
}

interface FactColumn {
  text: string;
  width: number;
  side: "left" | "right";
}

/** What there is room for beside the name; the last action comes first where the terminal is wide. */
function factColumns(agent: AgentState, state: RunState, now: number, width: number): FactColumn[] {
  const columns: FactColumn[] = [];
  if (width >= 60) columns.push({ text: lastActionOf(agent), width: width >= 100 ? 28 : 16, side: "left" });
  columns.push({ text: agent.startedAfter === undefined ? "-" : duration(elapsedOf(agent, state, now)), width: 7, side: "right" });
  if (width >= 50) columns.push({ text: count(agent.tokens), width: 6, side: "right" });
  columns.push({ text: money(agent.usd), width: 8, side: "right" });
  return columns;
}

function lastActionOf(agent: AgentState): string {
  if (agent.status === "running") return plainLine([...agent.running.values()].at(-1) ?? agent.lastAction);
  return plainLine(agent.reason === undefined ? agent.status : `${agent.status}: ${agent.reason}`);
}
