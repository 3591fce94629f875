import type { AgentSpec } from "../domain/agent.ts";
import type { RunEvent } from "../domain/events.ts";
import { hashOf } from "../domain/hash.ts";
import { ROOT_AGENT, type RunId } from "../domain/ids.ts";
import { event } from "./run-log.ts";
import type { RunSetup } from "./run-setup.ts";
import { ROOT_TOOL_NAMES } from "./tools/tool-names.ts";

/** The event that makes the supervisor. */
export function spawnRoot(id: RunId, setup: RunSetup): RunEvent {
  const spec = rootSpec(id, setup);
  return event("agent_spawned", { agent: ROOT_AGENT, parent: null, call: null, mode: "foreground", spec, spec_sha256: hashOf(spec) });
}

function rootSpec(run: RunId, { models, config }: RunSetup): AgentSpec {
  return {
    id: ROOT_AGENT,
    name: "supervisor",
    parent: null,
    run,
    depth: 0,
    model: models.supervisor.ref,
    thinking: models.thinking,
    tools: ROOT_TOOL_NAMES,
    may_spawn: true,
    max_children: config.limits.children,
    budget_usd: null,
    replication_of: null,
    independent_context: false,
    role: "Supervisor of the research run",
    goal: "Answer the question of the run with what can be verified.",
    context: "",
    responsibilities: "Split the question, have it researched, tested and reviewed, decide when it is answered, and hand in the report.",
    completion_criteria: "The question is answered as well as it can be, or a coded limit is reached.",
    expected_output: "A report whose claims rest on findings, experiments and sources.",
  };
}
