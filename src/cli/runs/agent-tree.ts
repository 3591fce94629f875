import type { AgentState, RunState } from "../../engine/state/run-state.ts";
import { workedUntil } from "../../engine/state/run-state.ts";

/** Agents as a tree is read: each before its children, children in the order they were spawned. */
export function agentsInOrder(state: RunState): AgentState[] {
  const ordered: AgentState[] = [];
  const visit = (agent: AgentState | undefined): void => {
    if (!agent) return;
    ordered.push(agent);
    for (const child of agent.children) visit(state.agents.get(child));
  };
  for (const agent of state.agents.values()) if (agent.parent === null) visit(agent);
  return ordered;
}

/** Working time of an agent in milliseconds, up to `now` (epoch milliseconds) where it still works. */
export function elapsedOf(agent: AgentState, state: RunState, now: number): number {
  if (agent.startedAfter === undefined) return 0;
  return Math.max(0, (agent.endedAfter ?? workedUntil(state.clock, now)) - agent.startedAfter);
}

const GLYPHS: Readonly<Record<AgentState["status"], string>> = {
  spawned: "○",
  running: "●",
  completed: "✓",
  failed: "✗",
  cancelled: "⊘",
  interrupted: "‖",
  timed_out: "◷",
  no_result: "∅",
};

export function glyphOf(status: AgentState["status"]): string {
  return GLYPHS[status];
}
