import { z } from "zod";
import { isAncestor, type AgentId } from "../../domain/ids.ts";
import type { RunState } from "../state/run-state.ts";
import { defineTool, say } from "./tool.ts";

export const searchMemory = defineTool({
  name: "search_memory",
  description:
    'Searches what this and earlier runs found: findings, hypotheses, questions, lessons. Words, "phrases", -excluded, prefix*, and filters type: status: run: source: before: after:',
  input: z.strictObject({ query: z.string().min(1).max(500), limit: z.int().min(1).max(20).default(8) }),
  class: "rerunnable",
  async run({ query, limit }, { run, agent }) {
    const hits = await run.ports.memory.search({ text: query, limit, hide: hiddenFrom(agent, run.log.state) });
    if (hits.length === 0) return say("Memory holds nothing on this. Search the web or the project.");
    const lines = hits.map(
      (hit) =>
        `${hit.id} [${hit.type}, ${hit.status}] ${hit.title}${hit.run === run.id ? "" : ` (run ${hit.run})`}\n  ${hit.snippet.replace(/\s+/g, " ")}`,
    );
    return say(`${lines.join("\n")}\nread_artifact shows a note in full.`);
  },
});

/** A replication, and all below it, must not see what the replicated agents published. */
export function hiddenFrom(agent: AgentId, state: RunState): { run: string; agents: AgentId[] } | undefined {
  const hidden: AgentId[] = [];
  for (let id: AgentId | null = agent; id !== null; id = state.agents.get(id)?.parent ?? null) {
    const original = state.agents.get(id)?.spec.replication_of;
    if (original) hidden.push(original, ...[...state.agents.keys()].filter((each) => isAncestor(original, each)));
  }
  return hidden.length === 0 ? undefined : { run: state.run, agents: hidden };
}
