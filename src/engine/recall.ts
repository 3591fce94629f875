import type { EventData, Fact } from "../domain/events.ts";
import type { AgentId, CallId } from "../domain/ids.ts";

/** What the journal holds of an agent's conversation, to be played again in a new process. */
export interface AgentRecall {
  /** First prompt and later ones, in order. */
  prompts: { text: string; request: string | undefined }[];
  answers: EventData<"model_answered">[];
  /** Messages that joined a running turn, by the number of answers given before them. */
  steers: Map<number, string[]>;
  results: Map<CallId, EventData<"tool_finished">>;
  /** Calls that began; those without a result are in the ambiguous window. */
  started: Set<CallId>;
}

export function emptyRecall(): AgentRecall {
  return { prompts: [], answers: [], steers: new Map(), results: new Map(), started: new Set() };
}

/** Collects the conversations of all agents that have not finished, from the facts of a branch. */
export async function recallAgents(facts: AsyncIterable<Fact> | Iterable<Fact>): Promise<Map<AgentId, AgentRecall>> {
  const recalls = new Map<AgentId, AgentRecall>();
  for await (const fact of facts) {
    if (fact.type === "agent_spawned") recalls.set(fact.data.agent, emptyRecall());
    else if (fact.type === "agent_finished") recalls.delete(fact.data.agent);
    else if ("agent" in fact.data && fact.data.agent !== null) remember(recalls.get(fact.data.agent), fact);
  }
  return recalls;
}

function remember(recall: AgentRecall | undefined, fact: Fact): void {
  if (!recall) return;
  switch (fact.type) {
    case "agent_started":
      recall.prompts.push({ text: fact.data.prompt, request: undefined });
      break;
    case "agent_steered":
      if (fact.data.mode === "prompt") recall.prompts.push({ text: fact.data.message, request: fact.data.request });
      else recall.steers.set(fact.data.after, [...(recall.steers.get(fact.data.after) ?? []), fact.data.message]);
      break;
    case "model_answered":
      recall.answers.push(fact.data);
      break;
    case "tool_started":
      recall.started.add(fact.data.call);
      break;
    case "tool_finished":
      recall.results.set(fact.data.call, fact.data);
      break;
    default:
      break;
  }
}
