import { item, list, section } from "./html-parts.ts";
import { html, type Html } from "./html-text.ts";
import { describeSpend, duration } from "./quantities.ts";
import type { AgentView, Report } from "./report-model.ts";

/** How the run was done, with its agents as a tree. */
export function methodSection({ run, branch, method }: Report): Html {
  const facts = [
    html`Run <code>${run}</code>, branch ${branch}, started ${method.started}, ${duration(method.elapsed_seconds)} of work`,
    html`Stopped: ${method.stop.reason}. ${method.stop.detail}`,
    html`Models: supervisor ${method.models.supervisor}, agents ${method.models.subagent}, thinking ${method.models.thinking}`,
    html`Spend: ${describeSpend(method)}`,
    html`Versions: hypo ${method.hypo}, Pi ${method.pi}`,
  ];
  const iterations = method.iterations.map(({ iteration, claim, reason }) => item(html`Iteration ${iteration}: ${claim}. ${reason}`));
  return section("How it was done", [
    list(
      facts.map((fact) => item(fact)),
      "",
    ),
    html`<h3>Agents (${method.agents.length})</h3>`,
    method.agents.length === 0 ? list([], "No agent was recorded.") : branchOf(method.agents, 0),
    html`<h3>Iterations (${method.iterations.length})</h3>`,
    list(iterations, "No iteration was closed."),
  ]);
}

/** Agents at one level, each with those below it; they come in the order of the tree. */
function branchOf(agents: AgentView[], level: number): Html {
  const starts = agents.flatMap((agent, index) => (agent.level === level ? [index] : []));
  const items = starts.map((start, index) => {
    const below = agents.slice(start + 1, starts[index + 1]);
    return html`<li>${agents.slice(start, start + 1).map(showAgent)}${below.length === 0 ? html`` : branchOf(below, level + 1)}</li>\n`;
  });
  return html`<ul>${items}</ul>`;
}

function showAgent({ id, name, model, outcome, reason }: AgentView): Html {
  return html`${name} <span class="about">(${id}, ${model})</span>: ${outcome}${reason === null ? "" : `, ${reason}`}`;
}
