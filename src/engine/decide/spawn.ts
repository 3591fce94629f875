import type { AgentSpec } from "../../domain/agent.ts";
import type { EventData } from "../../domain/events.ts";
import { hashOf } from "../../domain/hash.ts";
import type { CallId } from "../../domain/ids.ts";
import { SAME_TASK, taskFingerprint, taskSimilarity } from "../../domain/near-duplicate.ts";
import { isFinished, type AgentState, type RunState } from "../state/run-state.ts";
import { accept, refuse, type Decision } from "./decision.ts";

export interface SpawnRequest {
  spec: AgentSpec;
  call: CallId | null;
  mode: EventData<"agent_spawned">["mode"];
}

/** Whether an agent may be added to the tree: limits first, then duplicates. */
export function decideSpawn(state: RunState, { spec, call, mode }: SpawnRequest): Decision {
  const parent = spec.parent === null ? undefined : state.agents.get(spec.parent);
  const why = (parent && (overLimits(state, parent, spec) ?? repeatsTask(state, spec))) ?? wrongReplication(state, spec);
  if (why !== undefined) return refuse(why);
  return accept({
    type: "agent_spawned",
    data: { agent: spec.id, parent: spec.parent, call, mode, spec, spec_sha256: hashOf(spec) },
  });
}

function overLimits({ limits, agents, stopping }: RunState, parent: AgentState, spec: AgentSpec): string | undefined {
  if (stopping) return "The run is coming to its end, so no agent can be started. Return what you have.";
  if (!parent.spec.may_spawn) return "You may not spawn agents. Do the task yourself, or report to your parent that it should be split.";
  if (spec.depth > limits.depth) {
    return `The tree may be ${limits.depth} levels deep (limit depth), and this agent would be at ${spec.depth}. Do the task yourself.`;
  }
  const children = Math.min(limits.children, parent.spec.max_children);
  if (parent.children.length >= children) {
    return (
      `You have spawned ${parent.children.length} agents, the limit for you (children ${children}). ` +
      "Collect what they found and go on without more."
    );
  }
  if (agents.size >= limits.agents) {
    return `The run has ${agents.size} agents, its limit (agents ${limits.agents}). Do the task yourself, or answer with what is known.`;
  }
  const active = [...agents.values()].filter((agent) => !isFinished(agent)).length;
  if (active >= limits.active) {
    return (
      `${active} agents are unfinished, the limit at once (active ${limits.active}). ` +
      "Wait for one with agent_control wait_any, then try again."
    );
  }
  return undefined;
}

/** The same work twice brings nothing, unless it is a declared replication. */
function repeatsTask({ agents }: RunState, spec: AgentSpec): string | undefined {
  if (spec.replication_of !== null) return undefined;
  const fingerprint = taskFingerprint(spec.goal);
  for (const other of agents.values()) {
    if (other.parent === null) continue;
    const same = taskFingerprint(other.spec.goal) === fingerprint;
    if (!same && taskSimilarity(other.spec.goal, spec.goal) < SAME_TASK) continue;
    return (
      `${other.id} (${other.spec.name}) has ${same ? "the same" : "nearly the same"} task. ` +
      "Use its result (agent_control inspect or wait), " +
      `state how yours differs, or mark it as a replication: replication_of: "${other.id}", independent_context: true.`
    );
  }
  return undefined;
}

function wrongReplication({ agents }: RunState, spec: AgentSpec): string | undefined {
  if (spec.replication_of === null) return undefined;
  if (!agents.has(spec.replication_of))
    return `replication_of names ${spec.replication_of}, and there is no such agent. agent_control list shows them.`;
  return spec.independent_context
    ? undefined
    : "A replication needs independent_context: true, so that it does not see what it replicates.";
}
