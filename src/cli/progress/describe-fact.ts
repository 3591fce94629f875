import type { Fact } from "../../domain/events.ts";
import { foreign } from "../output/plain-text.ts";
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
  const who = agent === null ? [] : [name === undefined ? foreign(agent) : `${foreign(agent)} ${foreign(name)}`];
  return [fact.at.slice(11, 19), ...who, cut(what.trimEnd(), LONGEST)].join("  ");
}

/** Undefined for facts that only matter to the machine. */
function describe(fact: Fact): string | undefined {
  switch (fact.type) {
    case "run_started":
      return `run ${foreign(fact.data.run)} started${fact.data.rehearsal ? " (rehearsal)" : ""}: ${foreign(fact.data.question)}`;
    case "agent_spawned":
      return fact.data.parent === null
        ? undefined
        : `spawned by ${foreign(fact.data.parent)} (${foreign(fact.data.spec.model)}): ${foreign(fact.data.spec.goal)}`;
    case "agent_started":
      return "started";
    case "agent_steered":
      return fact.data.by === "engine"
        ? undefined
        : `was told by its ${fact.data.by === "parent" ? "parent" : "person"}: ${foreign(fact.data.message)}`;
    case "message_undelivered":
      return `ended without having read what its ${fact.data.by} wrote: ${foreign(fact.data.message)}`;
    case "agent_reported":
      return `reports to ${foreign(fact.data.to)}: ${foreign(fact.data.message)}`;
    case "agent_finished":
      return `${fact.data.outcome}${fact.data.reason === undefined ? "" : `: ${foreign(fact.data.reason)}`}`;
    case "tool_started":
      return `${foreign(fact.data.tool)}${targetOf(fact.data.args)}`;
    case "tool_finished":
      return fact.data.ok ? undefined : `${foreign(fact.data.tool)} refused: ${foreign(fact.data.text)}`;
    case "finding_published": {
      const { id, type, status, statement } = fact.data.finding;
      return `${type} ${foreign(id)} (${status}): ${foreign(statement)}`;
    }
    case "hypothesis_moved":
      return fact.data.from === null ? undefined : `hypothesis ${foreign(fact.data.hypothesis)} is ${foreign(fact.data.to)}`;
    case "plan_registered":
      return `registered ${foreign(fact.data.experiment)}: ${foreign(fact.data.plan.title)}`;
    case "experiment_started":
      return `runs ${foreign(fact.data.experiment)}, execution ${fact.data.execution}`;
    case "experiment_finished": {
      const { experiment, status, outcome, reason } = fact.data;
      return `${foreign(experiment)} ${status}, outcome ${outcome}${reason === undefined ? "" : `: ${foreign(reason)}`}`;
    }
    case "review_recorded": {
      const { experiment, verdict, disagrees } = fact.data.review;
      return `reviewed ${foreign(experiment)}: ${verdict}${disagrees ? " (against the computed outcome)" : ""}`;
    }
    case "question_closed":
      return `closed ${foreign(fact.data.question)}: ${foreign(fact.data.answer)}`;
    case "iteration_closed": {
      const { findings, closed_questions: closed, contradictions, verdicts } = fact.data.progress;
      const news = `${findings} findings, ${closed} questions, ${contradictions} contradictions, ${verdicts} verdicts`;
      return `iteration ${fact.data.iteration} closed: ${news}`;
    }
    case "spend_charged":
      return fact.data.usd > 0 ? `${money(fact.data.usd)} charged for a call without an answer: ${foreign(fact.data.reason)}` : undefined;
    case "gate_opened":
      return `waits for a person (${foreign(fact.data.gate)}): ${foreign(fact.data.prompt)}`;
    case "gate_answered":
      return `${foreign(fact.data.gate)} was answered: ${foreign(fact.data.event)}`;
    case "run_paused":
      return `run paused: ${foreign(fact.data.reason)}`;
    case "run_resumed":
      return `run resumed: ${foreign(fact.data.reason)}${fact.data.changes.map(({ what }) => `, ${foreign(what)} changed`).join("")}`;
    case "run_stopping":
      return `run stops: ${foreign(fact.data.reason)}: ${foreign(fact.data.detail)}`;
    case "report_written":
      return `report written by ${fact.data.by}: ${foreign(fact.data.path)}`;
    case "run_finished":
      return `run ${fact.data.state}: ${foreign(fact.data.reason)}: ${foreign(fact.data.detail)}`;
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
    if (typeof value === "string" && value !== "") return ` ${foreign(value)}`;
  }
  return "";
}
