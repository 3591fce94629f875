import { z } from "zod";
import { HypoError } from "../../domain/errors.ts";
import { isAncestor, type AgentId } from "../../domain/ids.ts";
import type { ToolOutput } from "../../domain/ports.ts";
import { parentMessage, reportMessage } from "../agent/agent-message.ts";
import { describeResults } from "../prompts/agent-prompts.ts";
import { event } from "../run-log.ts";
import { isFinished, type AgentState } from "../state/run-state.ts";
import { defineTool, refusal, say, type ToolCallContext } from "./tool.ts";

const Input = z.strictObject({
  action: z.enum([
    "list",
    "inspect",
    "start",
    "wait",
    "wait_any",
    "collect",
    "steer",
    "follow_up",
    "report_parent",
    "cancel",
    "cancel_subtree",
  ]),
  agent: z.string().optional().describe("id of an agent below you"),
  agents: z.array(z.string()).optional().describe("ids, for wait, wait_any and collect; all your children where left out"),
  message: z.string().optional().describe("for steer, follow_up and report_parent"),
  seconds: z.number().positive().max(3600).default(600).describe("longest wait"),
});
type Input = z.output<typeof Input>;

export const agentControl = defineTool({
  name: "agent_control",
  description: `Looks after the agents below you. list: all of them. inspect: one in detail. start: a deferred one. wait: until all named have ended, and their results. wait_any: until one has. collect: results of those that have ended, without waiting. steer: a message that joins its running work. follow_up: a message for when it has ended its present turn. report_parent: an interim message to your own parent. cancel or cancel_subtree: end it and all below it.`,
  input: Input,
  class: "reconcilable",
  async run(input, context) {
    switch (input.action) {
      case "list":
        return say(listBelow(context));
      case "report_parent":
        return reportToParent(input, context);
      case "wait":
        return waitForAll(input, context);
      case "wait_any":
        return waitForOne(input, context);
      case "collect":
        return collect(input, context);
      case "inspect":
        return say(inspect(target(input, context), context));
      case "start":
        context.run.tree.start(target(input, context).id);
        return say(`Agent ${input.agent ?? ""} is at work.`);
      case "steer":
      case "follow_up":
        return sendMessage(input, context);
      case "cancel":
      case "cancel_subtree": {
        const ended = await context.run.tree.cancel(target(input, context).id, `cancelled by ${context.agent}`);
        return say(ended.length === 0 ? "It had ended already." : `Cancelled: ${ended.join(", ")}.`);
      }
    }
  },
});

function target(input: Input, { run, agent }: ToolCallContext): AgentState {
  return below(input.agent ?? "", agent, run.log.state.agents);
}

function targets(input: Input, { run, agent }: ToolCallContext): AgentState[] {
  const { agents } = run.log.state;
  const named = input.agents ?? (input.agent === undefined ? undefined : [input.agent]);
  return named ? named.map((id) => below(id, agent, agents)) : [...agents.values()].filter((each) => each.parent === agent);
}

function below(id: string, self: AgentId, agents: Map<AgentId, AgentState>): AgentState {
  const found = agents.get(id);
  if (!found || !isAncestor(self, id)) {
    const known = [...agents.keys()].filter((each) => isAncestor(self, each));
    throw new HypoError("not_found", `There is no agent ${JSON.stringify(id)} below you.`, {
      hint: known.length ? `Below you: ${known.slice(-40).join(", ")}.` : "You have spawned none.",
    });
  }
  return found;
}

function listBelow({ run, agent }: ToolCallContext): string {
  const all = [...run.log.state.agents.values()].filter((each) => isAncestor(agent, each.id));
  if (all.length === 0) return "There are no agents below you.";
  const lines = all
    .slice(0, 200)
    .map(
      (each) =>
        `${"  ".repeat(each.spec.depth - 1)}${each.id} ${each.spec.name}: ${each.status}${each.lastAction ? `, last: ${each.lastAction}` : ""}`,
    );
  return `${lines.join("\n")}${all.length > 200 ? `\n(${all.length - 200} more left out)` : ""}`;
}

function inspect(agent: AgentState, { run }: ToolCallContext): string {
  const { spec } = agent;
  const head = `${agent.id} ${spec.name}: ${agent.status}; ${agent.answers} answers, ${agent.tokens} tokens, ${agent.usd.toFixed(4)} USD; children: ${agent.children.join(", ") || "none"}\nGoal: ${spec.goal}`;
  return isFinished(agent) ? `${head}\n${describeResults([agent], run.log.state)}` : `${head}\nLast action: ${agent.lastAction || "none"}`;
}

async function waitForAll(input: Input, context: ToolCallContext): Promise<ToolOutput> {
  const waited = targets(input, context);
  if (waited.length === 0) return refusal("You have no agents to wait for.");
  await withinSeconds(input.seconds, context.signal, (signal) =>
    Promise.all(waited.map((each) => context.run.tree.waitFor(each.id, signal))),
  );
  return say(resultsAndUnfinished(waited, context));
}

async function waitForOne(input: Input, context: ToolCallContext): Promise<ToolOutput> {
  const waited = targets(input, context).filter((each) => input.agents !== undefined || !isFinished(each));
  if (waited.length === 0) return refusal("None of your agents is unfinished. collect brings their results.");
  await withinSeconds(input.seconds, context.signal, (signal) =>
    Promise.any(waited.map((each) => context.run.tree.waitFor(each.id, signal))),
  );
  return say(resultsAndUnfinished(waited, context));
}

function collect(input: Input, context: ToolCallContext): ToolOutput {
  const all = targets(input, context);
  return all.length === 0 ? refusal("You have spawned no agents.") : say(resultsAndUnfinished(all, context));
}

function resultsAndUnfinished(agents: AgentState[], { run }: ToolCallContext): string {
  const now = agents.map((each) => run.log.state.agents.get(each.id) ?? each);
  const ended = now.filter((each) => isFinished(each));
  const open = now.filter((each) => !isFinished(each)).map((each) => `${each.id} (${each.spec.name}) is still ${each.status}.`);
  return [describeResults(ended, run.log.state), ...open].filter((part) => part !== "").join("\n\n");
}

/** Runs a wait for so long at most. Its end by time is an outcome; an abort from outside is not. */
async function withinSeconds(seconds: number, outer: AbortSignal, wait: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const timeout = AbortSignal.timeout(seconds * 1000);
  try {
    await wait(AbortSignal.any([outer, timeout]));
  } catch (error) {
    if (outer.aborted || !timeout.aborted) throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

function sendMessage(input: Input, context: ToolCallContext): ToolOutput {
  const agent = target(input, context);
  if (!input.message) return refusal(`${input.action} needs a message.`);
  if (isFinished(agent)) return refusal(`${agent.id} has ended (${agent.status}). Spawn another agent, or use its result.`);
  const worker = context.run.tree.worker(agent.id);
  if (!worker) return refusal(`${agent.id} is not at work. agent_control start sets it to work.`);
  if (!worker.send(parentMessage(input.message, context.call))) return refusal(`${agent.id} is just ending. collect brings its result.`);
  return say(`${agent.id} gets the message with its next step.`);
}

async function reportToParent(input: Input, { run, agent, call }: ToolCallContext): Promise<ToolOutput> {
  if (!input.message) return refusal("report_parent needs a message.");
  const self = run.log.state.agents.get(agent);
  if (!self || self.parent === null) return refusal("You have no parent. Publish findings, or use research_control.");
  if (!self.reports.some((report) => report.call === call)) {
    await run.log.record(event("agent_reported", { agent, call, to: self.parent, message: input.message }));
    run.tree.worker(self.parent)?.send(reportMessage(agent, self.spec.name, input.message, call));
  }
  return say(`${self.parent} gets your report.`);
}
