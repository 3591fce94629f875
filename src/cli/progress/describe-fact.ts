import type { Fact } from "../../domain/events.ts";
import { plainLine } from "../output/plain-text.ts";
import { money } from "../output/quantities.ts";
import { cut } from "../output/width.ts";

/** Columns that text written by models may take on a line. */
const LONGEST = 160;

/**
 * One plain line for a fact worth telling: `12:03:07  root.1 Sorter  web_read`. Times are UTC, so that the same
 * journal always gives the same lines.
 *
 * @param nameOf the name of an agent, if it is known
 */
export function describeFact(fact: Fact, nameOf: (agent: string) => string | undefined): string | undefined {
  const what = describe(fact);
  if (what === undefined) return undefined;
  const agent = "agent" in fact.data ? fact.data.agent : null;
  const name = agent === null ? undefined : nameOf(agent);
  const who = agent === null ? [] : [plainLine(name === undefined ? agent : `${agent} ${name}`)];
  return [fact.at.slice(11, 19), ...who, cut(plainLine(what), LONGEST)].join("  ");
}

/** Undefined for facts that only matter to the machine. */
function describe(fact: Fact): string | undefined {
  switch (fact.type) {
    case "run_started":
      return `run ${fact.data.run} started${fact.data.rehearsal ? " (rehearsal)" : ""}: ${fact.data.question}`;
    case "agent_spawned":
      return fact.data.parent === null ? undefined : `spawned by ${fact.data.parent} (${fact.data.spec.model}): ${fact.data.spec.goal}`;
    case "agent_started":
      return "started";
    case "agent_steered":
      return fact.data.by === "engine"
        ? undefined
        : `was told by its ${fact.data.by === "parent" ? "parent" : "person"}: ${fact.data.message}`;
    case "message_undelivered":
      return `ended without having read what its ${fact.data.by} wrote: ${fact.data.message}`;
    case "agent_reported":
      return `reports to ${fact.data.to}: ${fact.data.message}`;
    case "agent_finished":
      return `${fact.data.outcome}${fact.data.reason === undefined ? "" : `: ${fact.data.reason}`}`;
    case "tool_started":
      return `${fact.data.tool}${targetOf(fact.data.args)}`;
    case "tool_finished":
      return fact.data.ok ? undefined : `${fact.data.tool} refused: ${fact.data.text}`;
    case "finding_published": {
      const { id, type, status, statement } = fact.data.finding;
      return `${type} ${id} (${status}): ${statement}`;
    }
    case "hypothesis_moved":
      return fact.data.from === null ? undefined : `hypothesis ${fact.data.hypothesis} is ${fact.data.to}`;
    case "plan_registered":
      return `registered ${fact.data.experiment}: ${fact.data.plan.title}`;
    case "experiment_started":
      return `runs ${fact.data.experiment}, execution ${fact.data.execution}`;
    case "experiment_finished": {
      const { experiment, status, outcome, reason } = fact.data;
      return `${experiment} ${status}, outcome ${outcome}${reason === undefined ? "" : `: ${reason}`}`;
    }
    case "review_recorded": {
      const { experiment, verdict, disagrees } = fact.data.review;
      return `reviewed ${experiment}: ${verdict}${disagrees ? " (against the computed outcome)" : ""}`;
    }
    case "question_closed":
      return `closed ${fact.data.question}: ${fact.data.answer}`;
    case "iteration_closed": {
      const { findings, closed_questions: closed, contradictions, verdicts } = fact.data.progress;
      const news = `${findings} findings, ${closed} questions, ${contradictions} contradictions, ${verdicts} verdicts`;
      return `iteration ${fact.data.iteration} closed: ${news}`;
    }
    case "spend_charged":
      return fact.data.usd > 0 ? `${money(fact.data.usd)} charged for a call without an answer: ${fact.data.reason}` : undefined;
    case "gate_opened":
      return `waits for a person (${fact.data.gate}): ${fact.data.prompt}`;
    case "gate_answered":
      return `${fact.data.gate} was answered: ${fact.data.event}`;
    case "run_paused":
      return `run paused: ${fact.data.reason}`;
    case "run_resumed":
      return `run resumed: ${fact.data.reason}${fact.data.changes.map(({ what }) => `, ${what} changed`).join("")}`;
    case "run_stopping":
      return `run stops: ${fact.data.reason}: ${fact.data.detail}`;
    case "report_written":
      return `report written by ${fact.data.by}: ${fact.data.path}`;
    case "run_finished":
      return `run ${fact.data.state}: ${fact.data.reason}: ${fact.data.detail}`;
    case "model_answered":
    case "source_stored":
    case "spend_reserved":
    default:
      return undefined;
  }
}

/** What a call is about, where its arguments say it in a word people know. */
function targetOf(args: unknown): string {
  if (typeof args !== "object" || args === null) return "";
  for (const key of ["url", "query", "path", "title", "name", "experiment", "action"]) {
    const value = (args as Record<string, unknown>)[key];
    if (typeof value === "string" && value !== "") return ` ${value}`;
  }
  return "";
}
