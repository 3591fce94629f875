import * as fc from "fast-check";
import type { Fact, RunEvent } from "../../../src/domain/events.ts";
import { BUDGET_DEFAULT, LIMITS_DEFAULT } from "../../../src/domain/limit-defaults.ts";
import { parentOf, sampleFinding, samplePlan, sampleSpec } from "../../support/samples.ts";

/** Events of a run in small, for tests of what is made of them. */

export const RUN = "20260301-120000-sorting-ab12";

/** Events as facts in a row, a second apart, each on the branch that is given for it. */
export function factsOf(events: readonly RunEvent[], branchOf: (index: number) => string = () => "main"): Fact[] {
  return events.map((event, index) => {
    const at = new Date(Date.UTC(2026, 2, 1) + index * 1000).toISOString();
    const place: object = { v: 1, seq: index + 1, parent: index, branch: branchOf(index), at };
    return Object.assign(place, event) as Fact;
  });
}

export function runStarted(more: Partial<Extract<RunEvent, { type: "run_started" }>["data"]> = {}): RunEvent {
  const models = { supervisor: "p/s", subagent: "p/c", thinking: "off" as const };
  return {
    type: "run_started",
    data: {
      run: RUN,
      question: "Which is faster?",
      models,
      limits: LIMITS_DEFAULT,
      budget: BUDGET_DEFAULT,
      prompts_sha256: "p1",
      hypo: "0.1.0",
      pi: "1.6.0",
      rehearsal: false,
      ...more,
    },
  };
}

export function spawned(agent: string, parent: string | null = parentOf(agent)): RunEvent {
  const spec = sampleSpec(agent, { parent });
  return {
    type: "agent_spawned",
    data: { agent, parent, call: parent === null ? null : `c-${agent}`, mode: "background", spec, spec_sha256: "s" },
  };
}

export function hypothesis(id: string, statement: string): RunEvent {
  const finding = sampleFinding(id, { type: "hypothesis", status: "hypothetical", statement });
  return {
    type: "finding_published",
    data: { agent: "root.1", call: `c-${id}`, finding, note: "n", note_sha256: "s" },
  };
}

export function registered(experiment: string, hypothesisId: string): RunEvent {
  const plan = samplePlan(hypothesisId);
  return {
    type: "plan_registered",
    data: { agent: "root.1", call: `c-${experiment}`, experiment, plan, plan_sha256: `sha-${hypothesisId}` },
  };
}

export function began(experiment: string, execution: number, agent = "root.1"): RunEvent {
  const data = { agent, call: "r", experiment, execution, plan_sha256: "s", code_sha256: "c", command: ["python3"] };
  return { type: "experiment_started", data };
}

export function ended(
  experiment: string,
  execution: number,
  outcome: "met" | "refuted" | "not_evaluable",
  status: "completed" | "interrupted" | "docker_unavailable" | "cancelled" = "completed",
): RunEvent {
  const data = { agent: "root.1", call: "r", experiment, execution, status, outcome, exit_code: 0, result_sha256: "s" };
  return { type: "experiment_finished", data };
}

/** Any event that agents make, in any order: most of them do not fit what came before. */
export const anyEvent: fc.Arbitrary<RunEvent> = fc.oneof(
  agents().map((agent) => spawned(agent)),
  fc.record({ agent: agents(), prompt: fc.string() }).map((data) => ({ type: "agent_started" as const, data })),
  fc
    .record({ agent: agents(), message: fc.string(), after: fc.nat(5), request: fc.option(fc.string(), { nil: undefined }) })
    .map((data) => ({ type: "agent_steered" as const, data: { ...data, by: "person" as const, mode: "steer" as const } })),
  fc
    .record({ agent: agents(), result: fc.string() })
    .map((data) => ({ type: "agent_finished" as const, data: { ...data, outcome: "completed" as const } })),
  fc
    .record({ reservation: ids("r"), agent: agents(), usd: fc.nat(100).map((cents) => cents / 100), tokens: fc.nat(9999) })
    .map((data) => ({ type: "spend_reserved" as const, data })),
  fc
    .record({ reservation: ids("r"), usd: fc.nat(9), tokens: fc.nat(999) })
    .map((data) => ({ type: "spend_charged" as const, data: { ...data, reason: "cut" } })),
  fc.record({ agent: agents(), reservation: ids("r"), index: fc.nat(5) }).map((data) => ({
    type: "model_answered" as const,
    data: {
      ...data,
      purpose: "turn" as const,
      messages: 2,
      stop_reason: "stop" as const,
      usage: { input: 10, output: 5, cache_read: 0, cache_write: 0, usd: 0.5 },
      message: { $map: "a model may write anything", $object: [] },
    },
  })),
  fc
    .record({ agent: agents(), call: ids("c") })
    .map((data) => ({ type: "tool_started" as const, data: { ...data, tool: "find", args: {} } })),
  fc.tuple(ids("h"), fc.string({ minLength: 1 })).map(([id, text]) => hypothesis(id, text)),
  fc.tuple(ids("x"), ids("h")).map(([id, on]) => registered(id, on)),
  fc.tuple(ids("x"), fc.integer({ min: 1, max: 3 })).map(([id, n]) => began(id, n)),
  fc.tuple(ids("x"), fc.integer({ min: 1, max: 3 })).map(([id, n]) => ended(id, n, "met")),
  fc.record({ gate: ids("g"), agent: agents(), call: ids("c"), prompt: fc.string() }).map((data) => ({
    type: "gate_opened" as const,
    data: { ...data, options: [], allowed_events: ["ANSWER"], output_schema: { $set: [1], type: "object" } },
  })),
  ids("g").map((gate) => ({ type: "gate_answered" as const, data: { gate, event: "ANSWER", output: { $map: 1 } } })),
  fc.constant<RunEvent>({ type: "run_paused", data: { reason: "a person paused it" } }),
  fc.constant<RunEvent>({ type: "run_resumed", data: { reason: "a new process takes over", changes: [] } }),
  fc.integer({ min: 1, max: 4 }).map((iteration) => ({
    type: "iteration_closed" as const,
    data: {
      iteration,
      by: "engine" as const,
      call: null,
      claim: "none" as const,
      reason: "",
      progress: { findings: 0, closed_questions: 0, contradictions: 0, verdicts: 0 },
    },
  })),
);

function agents(): fc.Arbitrary<string> {
  return fc.constantFrom("root", "root.1", "root.2", "root.1.1");
}

function ids(prefix: string): fc.Arbitrary<string> {
  return fc.nat(3).map((n) => `${prefix}-${n}`);
}
