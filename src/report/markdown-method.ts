import { count } from "./confidence.ts";
import { joinMarkdown, md, type Markdown } from "./escape.ts";
import { heading, list, none } from "./markdown-parts.ts";
import type { AgentView, Method, Report } from "./report-model.ts";

/** How the run was done: models, agents, iterations, spend, why it stopped, versions. */
export function renderMethod({ run, branch, method }: Report): Markdown[] {
  return [
    heading(
      2,
      md`
How it was done
      `,
    ),
    list(
      [
        md`Run ${run}, branch ${branch}, started ${method.started}, ${duration(method.elapsed_seconds)} of work`,
        md`Stopped: ${method.stop.reason}. ${method.stop.detail}`,
        md`Models: supervisor ${method.models.supervisor}, agents ${method.models.subagent}, thinking ${method.models.thinking}`,
        md`Spend: ${describeSpend(method)}`,
        md`Versions: hypo ${method.hypo}, Pi ${method.pi}`,
      ],
      none(""),
    ),
    md`**Agents** (${method.agents.length})`,
    method.agents.length === 0 ? none("No agent was recorded.") : joinMarkdown(method.agents.map(renderAgent), "\n"),
    md`**Iterations** (${method.iterations.length})`,
    list(
      method.iterations.map(({ iteration, claim, reason }) => md`Iteration ${iteration}: ${claim}. ${reason}`),
      none("No iteration was closed."),
    ),
  ];
}

function renderAgent({ id, name, model, outcome, reason, level }: AgentView): Markdown {
  const indent = { markdown: "  ".repeat(level) };
  return md`${indent}- ${name} (${id}, ${model}): ${outcome}${reason === null ? md`` : md`, ${reason}`}`;
}

function describeSpend({ spend, budget }: Method): string {
  const usd = `${spend.usd.toFixed(4)} of ${budget.usd} US dollars`;
  return `${usd}, ${groupDigits(spend.tokens)} of ${groupDigits(budget.tokens)} tokens, ${count(spend.answers, "model answer")}`;
}

function groupDigits(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return [...(hours > 0 ? [`${hours} h`] : []), ...(hours > 0 || minutes > 0 ? [`${minutes} min`] : []), `${whole % 60} s`].join(" ");
}
