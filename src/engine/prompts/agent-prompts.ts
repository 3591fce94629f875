import type { AgentSpec } from "../../domain/agent.ts";
import { renderSections } from "../agent/spec.ts";
import type { AgentState, RunState } from "../state/run-state.ts";

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
  ].join("\n\n");
}

/** The prompt that opens an iteration of the supervisor. */
export function iterationPrompt(state: RunState, iteration: number, lessons: string): string {
  const intro = iteration === 1 ? [`Agent: supervisor (root)`, `The question: ${state.question}`] : [];
  return [
    ...intro,
    `Iteration ${iteration} of at most ${state.limits.iterations}. ${state.iterationsWithoutProgress} of ${state.limits.iterations_without_progress} iterations without progress.`,
    ...(iteration === 1 && lessons !== "" ? [lessons] : []),
    describeStanding(state),
    "Work on what is still open, then call research_control close_iteration (or finish).",
  ].join("\n\n");
}

export function closePrompt(iteration: number): string {
  return `Iteration ${iteration} is still open. Call research_control with action close_iteration and say what it brought, or finish if the question is answered.`;
}

export function reportPrompt(state: RunState, stop: { reason: string; detail: string }): string {
  return [
    `The research has ended: ${stop.reason} (${stop.detail}). Write the report now with write_report.`,
    "Every claim names the ids it rests on. State a hypothesis as what it is: say supported only if its verdict says so, and untested if no test ran. Name what contradicts your claims.",
    describeStanding(state),
  ].join("\n\n");
}

/** A bounded digest of what is known, for prompts and for research_control status. */
export function describeStanding(state: RunState): string {
  const findings = [...state.findings.values()];
  return [
    section("Findings", findings, 60, ({ finding }) => `${finding.id} [${finding.type}, ${finding.status}] ${finding.statement}`),
    section("Hypotheses", [...state.hypotheses.values()], 30, (each) => `${each.id} [${each.state}] ${each.statement}`),
    section("Experiments", [...state.experiments.values()], 30, (each) => {
      const last = each.executions.at(-1)?.finished;
      const verdicts = each.reviews.map((review) => review.verdict).join(", ");
      return `${each.id} by ${each.author}: ${each.plan.title}; ${last ? `${last.status}, criteria ${last.outcome}` : "not run"}${verdicts ? `; reviewed: ${verdicts}` : "; not reviewed"}`;
    }),
    section("Questions", [...state.questions.values()], 30, (each) => `${each.id} [${each.closed ? "closed" : "open"}] ${each.text}`),
    section(
      "Agents",
      [...state.agents.values()].filter((agent) => agent.parent !== null),
      40,
      (agent) => `${agent.id} ${agent.spec.name}: ${agent.status}`,
    ),
    answeredGates(state),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function answeredGates(state: RunState): string {
  const lines = [...state.gates.values()].flatMap((gate) =>
    gate.answer
      ? [
          `- asked: ${clip(gate.prompt)}; the person answered ${gate.answer.event}${gate.answer.output === undefined ? "" : ` ${JSON.stringify(gate.answer.output)}`}`,
        ]
      : [],
  );
  return lines.length === 0 ? "" : `Answers of the person:\n${lines.join("\n")}`;
}

function section<T>(title: string, items: T[], most: number, line: (item: T) => string): string {
  if (items.length === 0) return `${title}: none.`;
  const left = items.length - most;
  const shown = items.slice(-most).map((item) => `- ${clip(line(item))}`);
  return `${title}:\n${left > 0 ? `- (${left} earlier ones left out)\n` : ""}${shown.join("\n")}`;
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= 300 ? line : `${line.slice(0, 297)}...`;
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
    agent.result === "" ? "It gave no result." : agent.result,
  ].join("\n");
}
