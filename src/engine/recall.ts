import type { EventData, Fact } from "../domain/events.ts";
import type { AgentId, CallId } from "../domain/ids.ts";
import { reportMessage, sentMessage, type AgentMessage } from "./agent/agent-message.ts";

/** What the journal holds of an agent's conversation, to be played again in a new process. */
export interface AgentRecall {
  /** First prompt and later ones, in order. */
  prompts: AgentMessage[];
  answers: EventData<"model_answered">[];
  /** Messages that joined a running turn, by the number of answers given before them. */
  steers: Map<number, AgentMessage[]>;
  results: Map<CallId, EventData<"tool_finished">>;
  /** Calls that began; those without a result are in the ambiguous window. */
  started: Map<CallId, StartedCall>;
  /** Messages that were sent to the agent and had not reached it, in order. */
  undelivered: AgentMessage[];
  /** Keys of those that had, or of which it was said that they never will. */
  delivered: Set<string>;
}

type StartedCall = EventData<"tool_started"> & { at: string };

export function emptyRecall(): AgentRecall {
  return { prompts: [], answers: [], steers: new Map(), results: new Map(), started: new Map(), undelivered: [], delivered: new Set() };
}

/** What tells a message from every other one to the same agent; undefined for one that nobody sent. */
export function keyOf({ request, message }: Pick<AgentMessage, "request" | "message">): string | undefined {
  return request === undefined ? undefined : `${request}\n${message}`;
}

/** Collects the conversations of all agents that have not finished, from the facts of a branch. */
export async function recallAgents(facts: AsyncIterable<Fact> | Iterable<Fact>): Promise<Map<AgentId, AgentRecall>> {
  const recalls = new Map<AgentId, AgentRecall>();
  const names = new Map<AgentId, string>();
  for await (const fact of facts) {
    if (fact.type === "agent_spawned") {
      recalls.set(fact.data.agent, emptyRecall());
      names.set(fact.data.agent, fact.data.spec.name);
    } else if (fact.type === "agent_finished") recalls.delete(fact.data.agent);
    else if ("agent" in fact.data && fact.data.agent !== null) {
      rememberSent(recalls, names, fact);
      remember(recalls.get(fact.data.agent), fact);
    }
  }
  for (const recall of recalls.values()) {
    recall.undelivered = recall.undelivered.filter((message) => !recall.delivered.has(keyOf(message) ?? ""));
  }
  return recalls;
}

/** A message is on its way from the fact that sends it, or from the result of the call that does. */
function rememberSent(recalls: Map<AgentId, AgentRecall>, names: Map<AgentId, string>, fact: Fact): void {
  if (fact.type === "agent_reported") {
    const { agent, to, message, call } = fact.data;
    recalls.get(to)?.undelivered.push(reportMessage(agent, names.get(agent) ?? "", message, call));
  }
  if (fact.type === "tool_finished" && fact.data.ok) {
    const started = recalls.get(fact.data.agent)?.started.get(fact.data.call);
    const sent = started && sentMessage(started);
    if (sent) recalls.get(sent.to)?.undelivered.push(sent.message);
  }
}

function rememberDelivered(recall: AgentRecall, { by, message, mode, after, request }: EventData<"agent_steered">): void {
  const delivered: AgentMessage = { by, message, request };
  recall.delivered.add(keyOf(delivered) ?? "");
  if (mode === "prompt") recall.prompts.push(delivered);
  else recall.steers.set(after, [...(recall.steers.get(after) ?? []), delivered]);
}

function remember(recall: AgentRecall | undefined, fact: Fact): void {
  if (!recall) return;
  switch (fact.type) {
    case "agent_started":
      recall.prompts.push({ by: "engine", message: fact.data.prompt });
      break;
    case "agent_steered":
      rememberDelivered(recall, fact.data);
      break;
    case "message_undelivered":
      recall.delivered.add(keyOf(fact.data) ?? "");
      break;
    case "model_answered":
      recall.answers.push(fact.data);
      break;
    case "tool_started":
      recall.started.set(fact.data.call, { ...fact.data, at: fact.at });
      break;
    case "tool_finished":
      recall.results.set(fact.data.call, fact.data);
      break;
    default:
      break;
  }
}
