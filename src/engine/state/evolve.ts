import type { EventData, Fact } from "../../domain/events.ts";
import { ROOT_AGENT } from "../../domain/ids.ts";
import { evolveAgents } from "./evolve-agents.ts";
import { evolveEvidence } from "./evolve-evidence.ts";
import { emptyRunState, noProgress, type RunState } from "./run-state.ts";

/**
 * Applies one fact to a state that the caller owns, and returns it. Total and deterministic: the same facts in the
 * same order give the same state, and nothing else is looked at. Facts that name what the state does not know
 * (which a checked journal never holds) change nothing.
 */
export function evolve(state: RunState, fact: Fact): RunState {
  keepTime(state, fact);
  state.head = fact.seq;
  evolveRun(state, fact);
  evolveAgents(state, fact);
  evolveEvidence(state, fact);
  return state;
}

export function project(facts: Iterable<Fact>): RunState {
  const state = emptyRunState();
  for (const fact of facts) evolve(state, fact);
  return state;
}

/** Work ends with a pause, and with the last fact of a process that died; it begins again with run_resumed. */
function keepTime({ clock }: RunState, fact: Fact): void {
  const at = Date.parse(fact.at);
  if (fact.type === "run_started") clock.since = at;
  if (fact.type === "run_resumed") {
    if (clock.since !== undefined) clock.before += Math.max(0, clock.latest - clock.since);
    clock.since = at;
  }
  if ((fact.type === "run_paused" || fact.type === "run_finished") && clock.since !== undefined) {
    clock.before += Math.max(0, at - clock.since);
    clock.since = undefined;
  }
  clock.latest = Math.max(clock.latest, at);
}

function evolveRun(state: RunState, fact: Fact): void {
  switch (fact.type) {
    case "run_started":
      startRun(state, fact.data, fact.at);
      break;
    case "iteration_closed":
      closeIteration(state, fact.data);
      break;
    case "gate_opened": {
      const { gate, agent, call, prompt, options, allowed_events, output_schema } = fact.data;
      const record = { gate, seq: fact.seq, agent, call, prompt, options, allowedEvents: allowed_events, outputSchema: output_schema };
      state.gates.set(gate, { ...record, answer: undefined });
      state.status = "blocked";
      break;
    }
    case "gate_answered": {
      const gate = state.gates.get(fact.data.gate);
      if (gate) gate.answer = { event: fact.data.event, output: fact.data.output };
      if ([...state.gates.values()].every((each) => each.answer !== undefined)) {
        state.status = state.clock.since === undefined ? "paused" : "running";
      }
      break;
    }
    case "run_paused":
      if (state.status !== "blocked") state.status = "paused";
      break;
    case "run_resumed":
      resumeRun(state, fact.data);
      break;
    case "run_stopping":
      state.stopping ??= fact.data;
      break;
    case "tool_finished":
      if (fact.data.tool === "write_report" && !fact.data.ok && state.stopping) state.refusedDrafts += 1;
      break;
    case "report_part_drafted": {
      const { part, call, sections, digest } = fact.data;
      state.reportParts.push({ part, call, sections, digest });
      state.refusedDrafts = 0;
      break;
    }
    case "report_written":
      state.report = fact.data;
      break;
    case "run_finished":
      state.finish = fact.data;
      state.status = fact.data.state;
      endRoot(state, fact.data.state);
      break;
    default:
      break;
  }
}

function startRun(state: RunState, data: EventData<"run_started">, at: string): void {
  const { run, question, models, limits, budget, rehearsal, protocol, hypo, pi, prompts_sha256: prompts, config } = data;
  const basis = { hypo, pi, prompts, config };
  Object.assign(state, { run, question, models, limits, budget, rehearsal, protocol, ...basis, startedAt: at, status: "planning" });
}

/** A run that a limit had stopped, or kept from its report, goes on when the limit was raised. */
function resumeRun(state: RunState, data: EventData<"run_resumed">): void {
  if (data.hypo !== undefined) state.hypo = data.hypo;
  if (data.pi !== undefined) state.pi = data.pi;
  if (data.prompts_sha256 !== undefined) state.prompts = data.prompts_sha256;
  if (data.config !== undefined) state.config = data.config;
  if (data.limits) state.limits = data.limits;
  if (data.budget) state.budget = data.budget;
  if (data.reopens) {
    Object.assign(state, { finish: undefined, report: undefined, status: "running" });
    if (!data.only_report) Object.assign(state, { stopping: undefined, refusedDrafts: 0, reportParts: [] });
    const root = state.agents.get(ROOT_AGENT);
    if (root) root.status = "running";
  }
  if (state.status === "paused") state.status = state.agents.get(ROOT_AGENT)?.status === "spawned" ? "planning" : "running";
}

/** The root lives as long as its run. */
function endRoot(state: RunState, end: EventData<"run_finished">["state"]): void {
  const root = state.agents.get(ROOT_AGENT);
  if (root) root.status = end === "completed" ? "completed" : end === "failed" ? "failed" : "interrupted";
}

function closeIteration(state: RunState, data: EventData<"iteration_closed">): void {
  state.iterations.push({ ...data });
  const brought = Object.values(data.progress).some((count) => count > 0);
  state.iterationsWithoutProgress = brought ? 0 : state.iterationsWithoutProgress + 1;
  state.progress = noProgress();
}
