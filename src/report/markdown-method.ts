import { joinMarkdown, safe, type Markdown } from "./escape.ts";
import { heading, list, none } from "./markdown-parts.ts";
import { describeSpend, duration } from "./quantities.ts";
import type { AgentView, Report } from "./report-model.ts";

/** How the run was done: models, agents, iterations, spend, why it stopped, versions. */
export function renderMethod({ run, branch, method }: Report): Markdown[] {
  return [
    heading(2, "How it was done"),
    list(
      [
        safe`Run ${run}, branch ${branch}, started ${method.started}, ${duration(method.elapsed_seconds)} of work`,
        safe`Stopped: ${method.stop.reason}. ${method.stop.detail}`,
        safe`Models: supervisor ${method.models.supervisor}, agents ${method.models.subagent}, thinking ${method.models.thinking}`,
        safe`Spend: ${describeSpend(method)}`,
        safe`Versions: hypo ${method.hypo}, Pi ${method.pi}`,
      ],
      none(""),
    ),
    safe`**Agents** (${method.agents.length})`,
    method.agents.length === 0 ? none("No agent was recorded.") : joinMarkdown(method.agents.map(renderAgent), "\n"),
    safe`**Iterations** (${method.iterations.length})`,
    list(
      method.iterations.map(({ iteration, claim, reason }) => safe`Iteration ${iteration}: ${claim}. ${reason}`),
      none("No iteration was closed."),
    ),
  ];
}

function renderAgent({ id, name, model, outcome, reason, level }: AgentView): Markdown {
  const indent = { markdown: "  ".repeat(level) };
  return safe`${indent}- ${name} (${id}, ${model}): ${outcome}${reason === null ? safe`` : safe`, ${reason}`}`;
}
