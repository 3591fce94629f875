import type { AgentSpec } from "../../domain/agent.ts";
import { renderSections } from "../agent/spec.ts";
import type { AgentState, RunState } from "../state/run-state.ts";
import { describeMaterial } from "./material.ts";
import { PROTOCOLS } from "./protocols.ts";
import { describeStanding } from "./standing.ts";

/** An agent's first message: who it is, its specification and its limits. */
export function firstPrompt(spec: AgentSpec, state: RunState): string {
  const replicates =
    spec.replication_of === null
      ? []
      : [`You replicate the work of ${spec.replication_of} independently: what it published is hidden from you.`];
  return [
    `Agent: ${spec.name} (${spec.id})`,
    renderSections(spec),
    [
      `The question of the whole run: ${state.question}`,
      `You are at depth ${spec.depth} of ${state.limits.depth}; ${spec.may_spawn && spec.depth < state.limits.depth ? `you may spawn up to ${Math.min(spec.max_children, state.limits.children)} agents` : "you may not spawn agents"}; you have ${state.limits.agent_minutes} minutes.`,
      ...replicates,
    ].join("\n"),
    ...filled(describeMaterial(state)),
  ].join("\n\n");
}

/** The prompt that opens an iteration of the supervisor; what is known takes `room` characters at most. */
export function iterationPrompt(state: RunState, iteration: number, lessons: string, room: number): string {
  const intro = iteration === 1 ? [`Agent: supervisor (root)`, `The question: ${state.question}`] : [];
  return [
    ...intro,
    `Iteration ${iteration} of at most ${state.limits.iterations}. ${state.iterationsWithoutProgress} of ${state.limits.iterations_without_progress} iterations without progress.`,
    ...(state.protocol ? [PROTOCOLS[state.protocol]] : []),
    ...filled(describeMaterial(state)),
    ...filled(iteration === 1 ? lessons : ""),
    describeStanding(state, room),
    "Work on what is still open, then call research_control close_iteration (or finish).",
  ].join("\n\n");
}

function filled(text: string): string[] {
  return text === "" ? [] : [text];
}

export function closePrompt(iteration: number): string {
  return `Iteration ${iteration} is still open. Call research_control with action close_iteration and say what it brought, or finish if the question is answered.`;
}

/** What ended agents brought, for their parent. */
export function describeResults(agents: AgentState[], state: RunState): string {
  return agents.map((agent) => describeResult(agent, state)).join("\n\n");
}

function describeResult(agent: AgentState, state: RunState): string {
  const published = [...state.findings.values()].filter(
    ({ finding }) => finding.agent === agent.id || finding.agent.startsWith(`${agent.id}.`),
  );
  const ids = published.map(({ finding }) => finding.id).join(", ");
  const reason = agent.reason === undefined ? "" : ` (${agent.reason})`;
  const reports = agent.reports.map((report) => `It reported: ${report.message}`);
  return [
    `Agent ${agent.id} (${agent.spec.name}) ${agent.status}${reason}.${ids ? ` Published: ${ids}.` : " It published nothing."}`,
    ...reports,
    ...agent.undelivered.map((message) => `It ended without having read: ${message}`),
    agent.result === "" ? "It gave no result." : agent.result,
  ].join("\n");
}
