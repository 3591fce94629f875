import type { RunRecord } from "../domain/run-record.ts";
import type { AgentView, Method } from "./report-model.ts";

/** How the run was done. */
export function viewMethod(run: RunRecord): Method {
  const { models, iterations, spend, budget, started, elapsed, stop, hypo, pi } = run;
  return { models, agents: orderAgents(run.agents), iterations, spend, budget, started, elapsed_seconds: elapsed, stop, hypo, pi };
}

/** The agents as a tree read from the top: each followed by its descendants, siblings in the record's order. */
function orderAgents(agents: RunRecord["agents"]): AgentView[] {
  const ids = new Set(agents.map(({ id }) => id));
  const children = Map.groupBy(agents, ({ parent }) => (parent !== null && ids.has(parent) ? parent : null));
  const ordered: AgentView[] = [];
  const seen = new Set<string>();
  const visit = (agent: RunRecord["agents"][number], level: number): void => {
    if (seen.has(agent.id)) return;
    seen.add(agent.id);
    const { id, name, model, outcome, reason } = agent;
    ordered.push({ id, name, model, outcome, reason: reason ?? null, level });
    for (const child of children.get(id) ?? []) visit(child, level + 1);
  };
  for (const agent of [...(children.get(null) ?? []), ...agents]) visit(agent, 0);
  return ordered;
}
