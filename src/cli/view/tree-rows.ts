import type { AgentState, RunState } from "../../engine/state/run-state.ts";
import type { Tone } from "../output/color.ts";
import { plainLine } from "../output/plain-text.ts";
import { count, duration, money } from "../output/quantities.ts";
import { fit } from "../output/width.ts";
import { elapsedOf, glyphOf } from "../runs/agent-tree.ts";
import { rowOf, type Row, type Span } from "./row.ts";
import type { TreeLine } from "./tree-lines.ts";

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

/**
 * The lines of the tree in at most `height` rows of `width` columns, around the selected one.
 *
 * @param now epoch milliseconds
 * @param selected place of the line that keys are for; undefined where there are none
 */
export function treeRows(
  lines: readonly TreeLine[],
  state: RunState,
  now: number,
  width: number,
  height: number,
  selected: number | undefined,
): Row[] {
  const row = (line: TreeLine, at: number): Row => lineRow(line, state, now, width, selected === undefined ? undefined : at === selected);
  const start = Math.max(0, Math.min((selected ?? 0) - Math.floor(height / 2), lines.length - height));
  const shown = lines.slice(start, start + height).map((line, at) => row(line, start + at));
  // Less than three rows have no room for marks.
  if (height >= 3 && start > 0) shown[0] = rowOf(width, { text: `  ↑ ${start + 1} more`, tone: "dim" });
  const below = lines.length - start - height;
  if (height >= 3 && below > 0) shown[height - 1] = rowOf(width, { text: `  ↓ ${below + 1} more`, tone: "dim" });
  return shown;
}

function lineRow(line: TreeLine, state: RunState, now: number, width: number, isSelected: boolean | undefined): Row {
  const gutter: Span[] = isSelected === undefined ? [] : [{ text: isSelected ? "› " : "  ", tone: "strong" }];
  const room = width - 2 * gutter.length;
  // Deep trees keep room for names: from a quarter of the width on, depth is no longer indented.
  const indent = " ".repeat(Math.min(line.depth * 2, Math.floor(width / 4)));
  if (line.kind === "finished") return [...gutter, ...rowOf(room, indent, { text: `✓ ${line.amount} finished`, tone: "dim" })];
  const { agent, folded } = line;
  const columns = factColumns(agent, state, now, width);
  const taken = columns.reduce((sum, column) => sum + column.width + 1, 0);
  const name = `${plainLine(agent.spec.name)}${folded > 0 ? ` (+${folded})` : ""}`;
  return [
    ...gutter,
    { text: `${indent}${glyphOf(agent.status)} `, tone: TONES[agent.status] },
    { text: fit(name, Math.max(1, room - indent.length - 2 - taken)), tone: nameTone(agent, isSelected) },
    ...columns.map((column): Span => ({ text: ` ${fit(column.text, column.width, column.side)}`, tone: "dim" })),
  ];
}

function nameTone(agent: AgentState, isSelected: boolean | undefined): Tone | undefined {
  if (isSelected) return "strong";
  return agent.status === "spawned" ? "dim" : undefined;
}

interface FactColumn {
  text: string;
  width: number;
  side: "left" | "right";
}

/** What there is room for beside the name; the last action comes first where the terminal is wide. */
function factColumns(agent: AgentState, state: RunState, now: number, width: number): FactColumn[] {
  const columns: FactColumn[] = [];
  if (width >= 60) columns.push({ text: lastActionOf(agent), width: width >= 140 ? 48 : width >= 100 ? 28 : 16, side: "left" });
  columns.push({ text: agent.startedAfter === undefined ? "-" : duration(elapsedOf(agent, state, now)), width: 7, side: "right" });
  if (width >= 50) columns.push({ text: count(agent.tokens), width: 6, side: "right" });
  columns.push({ text: money(agent.usd), width: 8, side: "right" });
  return columns;
}

function lastActionOf(agent: AgentState): string {
  if (agent.status === "running") return plainLine([...agent.running.values()].at(-1) ?? agent.lastAction);
  return plainLine(agent.reason === undefined ? agent.status : `${agent.status}: ${agent.reason}`);
}
