import { isFinished, type AgentState, type RunState } from "../../engine/state/run-state.ts";

/** A line of the tree before it has a width: an agent, with what is folded into it, or several finished agents. */
export type TreeLine =
  | { kind: "agent"; agent: AgentState; depth: number; folded: number }
  | { kind: "finished"; depth: number; amount: number };

/**
 * The agent tree in as few lines as asked for, as far as folding goes: first finished subtrees fold into their root,
 * then finished siblings into one line. What still works is never folded. Pure.
 */
export function treeLines(state: RunState, room: number): TreeLine[] {
  const roots = [...state.agents.values()].filter((agent) => agent.parent === null);
  const whole = roots.flatMap((root) => linesBelow(state, root, 0, () => false));
  if (whole.length <= room) return whole;
  const done = finishedSubtrees(state);
  const folded = roots.flatMap((root) => linesBelow(state, root, 0, (agent) => done.has(agent.id)));
  return folded.length <= room ? folded : gatherFinished(folded);
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
function gatherFinished(lines: readonly TreeLine[]): TreeLine[] {
  const gathered: TreeLine[] = [];
  for (const [at, line] of lines.entries()) {
    const last = gathered.at(-1);
    const amount = line.kind === "agent" && isLeafFinished(line, lines[at + 1]) ? 1 + line.folded : 0;
    if (amount > 0 && last?.kind === "finished" && last.depth === line.depth) last.amount += amount;
    else if (amount > 0) gathered.push({ kind: "finished", depth: line.depth, amount });
    else gathered.push(line);
  }
  return gathered;
}

function isLeafFinished(line: TreeLine & { kind: "agent" }, next: TreeLine | undefined): boolean {
  return isFinished(line.agent) && line.depth > 0 && (next === undefined || next.depth <= line.depth);
}
