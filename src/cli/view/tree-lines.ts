import type { AgentId } from "../../domain/ids.ts";
import { isFinished, type AgentState, type RunState } from "../../engine/state/run-state.ts";

/** A line of the tree before it has a width: an agent, with what is folded into it, or several finished siblings. */
export type TreeLine =
  | { kind: "agent"; agent: AgentState; depth: number; folded: number }
  | { kind: "finished"; agents: readonly AgentState[]; depth: number; amount: number };

/** What a person folded and opened, against what there is room for. */
export interface Folding {
  /** Agents whose children are not shown, even while they work. */
  folded: ReadonlySet<AgentId>;
  /** Agents whose children are shown one by one, even when they are finished. */
  opened: ReadonlySet<AgentId>;
}

const NO_FOLDING: Folding = { folded: new Set(), opened: new Set() };

/**
 * The agent tree in as few lines as asked for, as far as folding goes: first finished subtrees fold into their root,
 * then finished siblings into one line. What still works is folded only where a person did so. Pure.
 */
export function treeLines(state: RunState, room: number, folding: Folding = NO_FOLDING): TreeLine[] {
  const { folded, opened } = folding;
  const roots = [...state.agents.values()].filter((agent) => agent.parent === null);
  const whole = roots.flatMap((root) => linesBelow(state, root, 0, ({ id }) => folded.has(id)));
  if (whole.length <= room) return whole;
  const done = finishedSubtrees(state);
  const isFolded = ({ id }: AgentState): boolean => folded.has(id) || (done.has(id) && !opened.has(id));
  const fewer = roots.flatMap((root) => linesBelow(state, root, 0, isFolded));
  return fewer.length <= room ? fewer : gatherFinished(fewer, opened);
}

/** The line that shows an agent, itself or folded into another; the first where there is none. */
export function lineOfAgent(lines: readonly TreeLine[], id: AgentId, state: RunState): number {
  for (let at: AgentId | null = id; at !== null; at = state.agents.get(at)?.parent ?? null) {
    const line = lines.findIndex((each) => (each.kind === "agent" ? each.agent.id === at : each.agents.some((agent) => agent.id === at)));
    if (line >= 0) return line;
  }
  return 0;
}

function linesBelow(state: RunState, agent: AgentState, depth: number, isFolded: (agent: AgentState) => boolean): TreeLine[] {
  if (isFolded(agent)) return [{ kind: "agent", agent, depth, folded: sizeBelow(state, agent) }];
  const children = agent.children.flatMap((id) => {
    const child = state.agents.get(id);
    return child ? linesBelow(state, child, depth + 1, isFolded) : [];
  });
  return [{ kind: "agent", agent, depth, folded: 0 }, ...children];
}

/** Agents that are finished with everything below them. */
function finishedSubtrees(state: RunState): Set<string> {
  const done = new Set<string>();
  const visit = (agent: AgentState): boolean => {
    const below = agent.children.map((id) => {
      const child = state.agents.get(id);
      return child ? visit(child) : true;
    });
    const isDone = isFinished(agent) && below.every(Boolean);
    if (isDone) done.add(agent.id);
    return isDone;
  };
  for (const agent of state.agents.values()) if (agent.parent === null) visit(agent);
  return done;
}

function sizeBelow(state: RunState, agent: AgentState): number {
  return agent.children.reduce((sum, id) => {
    const child = state.agents.get(id);
    return child ? sum + 1 + sizeBelow(state, child) : sum;
  }, 0);
}

/** Neighbours of one depth that are finished become one line that counts them, with what was folded into them. */
function gatherFinished(lines: readonly TreeLine[], opened: ReadonlySet<AgentId>): TreeLine[] {
  const gathered: TreeLine[] = [];
  let group: { kind: "finished"; agents: AgentState[]; depth: number; amount: number } | undefined;
  for (const [at, line] of lines.entries()) {
    if (line.kind === "finished" || !isToGather(line, lines[at + 1], opened)) {
      group = undefined;
      gathered.push(line);
    } else if (group?.depth === line.depth) {
      group.agents.push(line.agent);
      group.amount += 1 + line.folded;
    } else {
      group = { kind: "finished", agents: [line.agent], depth: line.depth, amount: 1 + line.folded };
      gathered.push(group);
    }
  }
  return gathered;
}

function isToGather({ agent, depth }: TreeLine & { kind: "agent" }, next: TreeLine | undefined, opened: ReadonlySet<AgentId>): boolean {
  return isFinished(agent) && agent.parent !== null && !opened.has(agent.parent) && (next === undefined || next.depth <= depth);
}
