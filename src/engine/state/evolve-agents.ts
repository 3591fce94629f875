import type { EventData, Fact } from "../../domain/events.ts";
import { workedUntil, type AgentState, type RunState } from "./run-state.ts";

/** The part of `evolve` that keeps the agent tree. */
export function evolveAgents(state: RunState, fact: Fact): void {
  switch (fact.type) {
    case "agent_spawned":
      addAgent(state, fact.data);
      break;
    case "agent_started":
      update(state, fact.data.agent, (agent) => {
        agent.status = "running";
        agent.startedAfter = workedUntil(state.clock, Date.parse(fact.at));
        if (agent.parent === null && state.status === "planning") state.status = "running";
      });
      break;
    case "agent_steered":
      update(state, fact.data.agent, (agent) => {
        agent.lastAction = `message from ${fact.data.by}`;
      });
      break;
    case "message_undelivered":
      update(state, fact.data.agent, (agent) => {
        agent.undelivered.push(fact.data.message);
      });
      break;
    case "agent_reported":
      update(state, fact.data.agent, (agent) => {
        agent.reports.push({ call: fact.data.call, message: fact.data.message });
      });
      break;
    case "agent_finished":
      update(state, fact.data.agent, (agent) => {
        agent.status = fact.data.outcome;
        agent.result = fact.data.result;
        agent.reason = fact.data.reason;
        agent.endedAfter = workedUntil(state.clock, Date.parse(fact.at));
        agent.running.clear();
      });
      break;
    case "model_answered":
      update(state, fact.data.agent, (agent) => countAnswer(state, agent, fact.data));
      break;
    case "tool_started":
      update(state, fact.data.agent, (agent) => {
        agent.running.set(fact.data.call, fact.data.tool);
        agent.lastAction = fact.data.tool;
      });
      break;
    case "tool_finished":
      update(state, fact.data.agent, (agent) => {
        agent.running.delete(fact.data.call);
        agent.lastAction = fact.data.ok ? fact.data.tool : `${fact.data.tool} refused`;
      });
      break;
    default:
      break;
  }
}

function update(state: RunState, id: string, change: (agent: AgentState) => void): void {
  const agent = state.agents.get(id);
  if (agent) change(agent);
}

function addAgent(state: RunState, data: EventData<"agent_spawned">): void {
  const { agent: id, parent, call, mode, spec } = data;
  state.agents.set(id, {
    id,
    parent,
    call,
    mode,
    spec,
    status: "spawned",
    result: "",
    reason: undefined,
    children: [],
    startedAfter: undefined,
    endedAfter: undefined,
    answers: 0,
    lastAction: "",
    running: new Map(),
    usd: 0,
    tokens: 0,
    reports: [],
    undelivered: [],
  });
  if (parent !== null) update(state, parent, (above) => above.children.push(id));
}

function countAnswer(state: RunState, agent: AgentState, { usage }: EventData<"model_answered">): void {
  const tokens = usage.input + usage.output + usage.cache_read + usage.cache_write;
  agent.answers += 1;
  agent.usd += usage.usd;
  agent.tokens += tokens;
  agent.lastAction = "answered";
  state.answers += 1;
  state.usd += usage.usd;
  state.tokens += tokens;
}
