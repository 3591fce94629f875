import * as fc from "fast-check";
import { AgentOutcome } from "../../../src/domain/agent.ts";
import { type EventData, type EventType, type Fact, StopReason } from "../../../src/domain/events.ts";
import { JOURNAL_VERSION } from "../../../src/domain/records.ts";
import { ComputedOutcome, ExecutionStatus } from "../../../src/domain/experiment.ts";
import { FindingType, HypothesisState, Verdict } from "../../../src/domain/finding.ts";
import { BUDGET_DEFAULT, LIMITS_DEFAULT } from "../../../src/domain/limit-defaults.ts";
import { parentOf, sampleFinding, samplePlan, sampleSpec } from "../../support/samples.ts";

const AGENTS = ["root", "root.1", "root.2", "root.1.1", "root.1.2"];

const agent = fc.constantFrom(...AGENTS);
const call = fc.constantFrom("c1", "c2", "c3");
const hypothesis = fc.constantFrom("h-1", "h-2");
const experiment = fc.constantFrom("x-1", "x-2");
const execution = fc.integer({ min: 1, max: 3 });
const gate = fc.constantFrom("g-1", "g-2");
const text = fc.string({ maxLength: 8 });
const count = fc.nat(5);
/** Cents, so that sums come out the same in any order. */
const usd = fc.nat(100).map((cents) => cents / 128);
const reservation = fc.nat(7).map(String);
const progress = fc.record({ findings: count, closed_questions: count, contradictions: count, verdicts: count });
const plan = hypothesis.map((id) => samplePlan(id));

const finding = fc
  .record({ type: FindingTypeArb(), author: agent, place: fc.nat(4), contradicts: fc.boolean(), statement: text })
  .map(({ type, author, place, contradicts, statement }) =>
    sampleFinding(`${type === "hypothesis" ? "h" : type === "open_question" ? "q" : "f"}-${place}`, {
      type,
      statement,
      evidence: place % 2 === 0 ? [{ source: "s", quote: statement, text_sha256: "t", extractor: "e", start: 0, end: 1 }] : [],
      related: contradicts ? [{ kind: "contradicts", to: "f-0" }] : [],
      agent: author,
    }),
  );

function FindingTypeArb(): fc.Arbitrary<FindingType> {
  return fc.constantFrom(...FindingType.options);
}

const limits = fc.constantFrom(LIMITS_DEFAULT, { ...LIMITS_DEFAULT, children: 2 });
const budget = fc.constantFrom(BUDGET_DEFAULT, { ...BUDGET_DEFAULT, usd: null });
const usage = fc.record({ input: count, output: count, cache_read: count, cache_write: count, usd });
const stop = fc.record({ reason: fc.constantFrom(...StopReason.options), detail: text });

/** Data of every kind of event, over a few ids, so that facts of one sequence speak of the same things. */
const DATA: { [T in EventType]: fc.Arbitrary<EventData<T>> } = {
  run_started: fc.record({
    run: fc.constant("r"),
    question: text,
    models: fc.constant({ supervisor: "p/m", subagent: "p/m", thinking: "off" as const }),
    limits,
    budget,
    prompts_sha256: text,
    hypo: text,
    pi: text,
    rehearsal: fc.boolean(),
  }),
  agent_spawned: fc
    .record({ agent, mode: fc.constantFrom("foreground", "background", "deferred"), call })
    .map(({ agent: id, mode, call: by }) => ({ agent: id, parent: parentOf(id), call: by, mode, spec: sampleSpec(id), spec_sha256: "s" })),
  agent_started: fc.record({ agent, prompt: text }),
  agent_steered: fc.record({
    agent,
    by: fc.constantFrom("engine", "parent", "person"),
    message: text,
    mode: fc.constantFrom("prompt", "steer"),
    after: count,
  }),
  message_undelivered: fc.record({ agent, by: fc.constantFrom("parent", "person"), message: text, request: call }),
  agent_reported: fc.record({ agent, call, to: agent, message: text }),
  agent_finished: fc.record({ agent, outcome: fc.constantFrom(...AgentOutcome.options), result: text }),
  model_answered: fc.record({
    agent,
    index: count,
    reservation,
    purpose: fc.constant("turn" as const),
    messages: count,
    stop_reason: fc.constantFrom("stop", "length", "tool_use"),
    usage,
    message: fc.constant({ role: "assistant" }),
  }),
  tool_started: fc.record({ agent, call, tool: text, args: fc.jsonValue() }),
  tool_finished: fc.record({ agent, call, tool: fc.constantFrom("write_report", "web_read"), ok: fc.boolean(), text }),
  source_stored: fc.record({
    agent,
    source: text,
    url: text,
    final_url: text,
    mime: text,
    size: count,
    status: fc.constant(200),
    backend: text,
  }),
  finding_published: fc.record({ agent, call, finding, note: text, note_sha256: text }),
  hypothesis_moved: fc.record({
    agent,
    hypothesis,
    from: fc.constant(null),
    to: fc.constantFrom(...HypothesisState.options),
    because: text,
  }),
  plan_registered: fc.record({ agent, call, experiment, plan, plan_sha256: text }),
  experiment_started: fc.record({
    agent,
    call,
    experiment,
    execution,
    plan_sha256: text,
    code_sha256: text,
    command: fc.constant(["python3"]),
  }),
  experiment_finished: fc.record({
    agent,
    call,
    experiment,
    execution,
    status: fc.constantFrom(...ExecutionStatus.options),
    outcome: fc.constantFrom(...ComputedOutcome.options),
    exit_code: fc.constantFrom(0, null),
    result_sha256: text,
  }),
  review_recorded: fc
    .record({ agent, call, experiment, execution, verdict: fc.constantFrom(...Verdict.options) })
    .map(({ agent: reviewer, call: by, verdict, ...of }) => ({
      agent: reviewer,
      call: by,
      review: { ...of, reviewer, verdict, outcome: "met", disagrees: false, summary: "s", limitations: [], at: "2026-01-01T00:00:00.000Z" },
    })),
  question_closed: fc.record({ agent, question: fc.constantFrom("q-0", "q-1"), by: fc.constant(["f-0"]), answer: text }),
  iteration_closed: fc.record({
    iteration: fc.integer({ min: 1, max: 9 }),
    by: fc.constantFrom("supervisor", "engine"),
    call,
    claim: fc.constantFrom("continue", "goal_achieved", "method_error", "external_only", "none"),
    reason: text,
    progress,
  }),
  spend_reserved: fc.record({ reservation, agent, usd, tokens: count }),
  spend_charged: fc.record({ reservation, usd, tokens: count, reason: text }),
  gate_opened: fc.record({
    gate,
    agent,
    call,
    prompt: text,
    options: fc.constant([{ label: "yes", value: "y" }]),
    allowed_events: fc.constant(["ANSWER"]),
  }),
  gate_answered: fc.record({ gate, event: fc.constant("ANSWER"), output: fc.constantFrom("y", undefined) }),
  run_paused: fc.record({ reason: text }),
  run_resumed: fc.record(
    { reason: text, changes: fc.constant([]), limits, budget, reopens: fc.boolean(), only_report: fc.boolean() },
    { requiredKeys: ["reason", "changes"] },
  ),
  run_stopping: stop,
  report_part_drafted: fc.record({
    agent: fc.constant("root"),
    call: text,
    part: fc.integer({ min: 1, max: 9 }),
    sections: fc.constant([]),
    digest: text,
  }),
  report_written: fc.record({
    by: fc.constantFrom("supervisor", "code"),
    path: text,
    sha256: text,
    refused: count,
    answered: fc.boolean(),
  }),
  conclusion_kept: fc.record({ id: fc.constantFrom("s-1", "l-1"), note: fc.constant("lessons/l-1.md"), note_sha256: fc.constant("0") }),
  run_finished: fc
    .record({ stop, state: fc.constantFrom("completed", "stopped", "failed"), answered: fc.boolean() })
    .map(({ stop: { reason, detail }, state, answered }) => ({ state, reason, detail, answered })),
};

const event = fc.oneof(
  ...(Object.keys(DATA) as EventType[]).map((type) => (DATA[type] as fc.Arbitrary<unknown>).map((data) => ({ type, data }))),
);

/** Any facts in any order, in their places; most of them speak of things that earlier ones made. */
export const factSequences: fc.Arbitrary<Fact[]> = fc
  .array(fc.tuple(event, fc.integer({ min: -500, max: 5000 })), { maxLength: 60 })
  .map((events) => {
    let at = Date.parse("2026-01-01T00:00:00Z");
    return events.map(([{ type, data }, passed], place) => {
      at += passed;
      return factOf(type, data, place + 1, at);
    });
  });

/** A fact of one line: its parent is the one before it. */
export function factOf(type: EventType, data: unknown, seq: number, at = 0): Fact {
  return { v: JOURNAL_VERSION, seq, parent: seq - 1, branch: "main", at: new Date(at).toISOString(), type, data } as Fact;
}
