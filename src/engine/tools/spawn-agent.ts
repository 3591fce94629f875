import { z } from "zod";
import type { AgentSpec } from "../../domain/agent.ts";
import { childAgentId } from "../../domain/ids.ts";
import { describeResults } from "../prompts/agent-prompts.ts";
import type { RunContext } from "../run-context.ts";
import type { AgentState } from "../state/run-state.ts";
import { CHILD_TOOL_NAMES } from "./tool-names.ts";
import { defineTool, refusal, say } from "./tool.ts";

const Input = z.strictObject({
  name: z.string().min(1).max(80).describe("short name of the agent"),
  goal: z.string().min(10).describe("what it is to find out or do; one task, stated so that it can be done alone"),
  role: z.string().default("Research agent"),
  context: z.string().default("").describe("what it needs to know; it sees nothing of your conversation"),
  responsibilities: z.string().default(""),
  completion_criteria: z.string().default("").describe("when it is done"),
  expected_output: z.string().default("").describe("what its result must hold"),
  tools: z.array(z.string()).optional().describe("names of its tools; all where left out"),
  may_spawn: z.boolean().default(true),
  max_children: z.int().min(0).max(100).default(8),
  budget_usd: z.number().min(0).optional().describe("money for it and all below it"),
  background: z.boolean().default(false).describe("true: go on at once and collect its result later"),
  deferred: z.boolean().default(false).describe("true: only prepare it; agent_control start sets it to work"),
  replication_of: z.string().optional().describe("id of the agent whose work it replicates"),
  independent_context: z.boolean().default(false).describe("true for a replication: it does not see what it replicates"),
});

export const spawnAgent = defineTool({
  name: "spawn_agent",
  description:
    "Starts an agent on a task of its own and returns its result (or, with background, its id at once). It knows only what you write here. It may spawn agents too.",
  input: Input,
  class: "reconcilable",
  async run(input, { run, agent, call, signal }) {
    const unknown = input.tools?.find((name) => !CHILD_TOOL_NAMES.includes(name));
    if (unknown !== undefined) return refusal(`There is no tool ${unknown}. Tools of an agent: ${CHILD_TOOL_NAMES.join(", ")}.`);
    const parent = run.log.state.agents.get(agent);
    if (!parent) return refusal("You are not in the journal.");
    const mode = input.deferred ? "deferred" : input.background ? "background" : "foreground";
    const spawned = await run.tree.spawn(specOf(input, parent, run), call, mode);
    if ("refused" in spawned) return refusal(spawned.refused);
    const { id } = spawned.agent;
    if (mode === "deferred") return say(`Agent ${id} (${input.name}) is ready. agent_control start sets it to work.`);
    if (mode === "background") {
      run.tree.start(id);
      return say(`Agent ${id} (${input.name}) works in the background. agent_control wait or collect brings its result.`);
    }
    const ended = await run.tree.waitFor(id, signal);
    return say(describeResults([ended], run.log.state));
  },
});

function specOf(input: z.output<typeof Input>, parent: AgentState, run: RunContext): AgentSpec {
  const { name, goal, role, context, responsibilities, completion_criteria, expected_output } = input;
  const depth = parent.spec.depth + 1;
  const chosen = input.tools ?? CHILD_TOOL_NAMES;
  return {
    id: childAgentId(parent.id, parent.children.length + 1),
    name,
    parent: parent.id,
    run: run.id,
    depth,
    model: run.models.subagent.ref,
    thinking: run.models.thinking,
    tools: input.may_spawn ? [...chosen] : chosen.filter((tool) => tool !== "spawn_agent"),
    may_spawn: input.may_spawn,
    max_children: input.max_children,
    budget_usd: input.budget_usd ?? null,
    replication_of: input.replication_of ?? null,
    independent_context: input.independent_context,
    role,
    goal,
    context,
    responsibilities,
    completion_criteria,
    expected_output,
  };
}
