import type { AgentId } from "../../domain/ids.ts";
import type { RunState } from "../state/run-state.ts";

/**
 * Milliseconds that an agent has left: its minutes, and never more than any agent above it has. The root has none of
 * its own to keep to.
 *
 * @param worked milliseconds that the branch has worked
 */
export function timeLeft({ agents, limits }: RunState, id: AgentId, worked: number): number {
  let left = Number.POSITIVE_INFINITY;
  for (let agent = agents.get(id); agent !== undefined && agent.parent !== null; agent = agents.get(agent.parent)) {
    left = Math.min(left, limits.agent_minutes * 60_000 - (worked - (agent.startedAfter ?? worked)));
  }
  return left;
}
