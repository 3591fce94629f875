import { z } from "zod";
import { AgentOutcome, AgentSpec } from "./agent.ts";
import { ComputedOutcome, ExecutionStatus, Review, TestPlan } from "./experiment.ts";
import { Finding, HypothesisState } from "./finding.ts";
import { Budget, Limits } from "./limits.ts";
import { ThinkingLevel, Usage } from "./model.ts";
import { Protocol } from "./protocol.ts";
import { ReportSection } from "./report-draft.ts";

const Count = z.int().min(0);

/** What an iteration brought, counted from the journal. */
export const Progress = z.object({ findings: Count, closed_questions: Count, contradictions: Count, verdicts: Count });
export type Progress = z.infer<typeof Progress>;

export const StopReason = z.enum([
  "goal_achieved",
  "method_error",
  "user_decision_required",
  "only_external_questions",
  "no_progress",
  "iteration_limit",
  "budget_exhausted",
  "wall_time",
  "cancelled",
  "credentials_refused",
  "model_unavailable",
  "internal_error",
]);
export type StopReason = z.infer<typeof StopReason>;

/** The data of every kind of fact. The key is the fact's `type`. */
export const EVENT_DATA = {
  run_started: z.object({
    run: z.string(),
    question: z.string(),
    models: z.object({ supervisor: z.string(), subagent: z.string(), thinking: ThinkingLevel }),
    limits: Limits,
    budget: Budget,
    prompts_sha256: z.string(),
    hypo: z.string(),
    pi: z.string(),
    rehearsal: z.boolean(),
    protocol: Protocol.optional(),
    /** Settings that results depend on, by key; secrets are left out. */
    config: z.record(z.string(), z.unknown()).optional(),
  }),
  agent_spawned: z.object({
    agent: z.string(),
    parent: z.string().nullable(),
    /** The spawn_agent call that made it; null for the root. */
    call: z.string().nullable(),
    /** `foreground`: its parent waits for it; `background`: it runs beside; `deferred`: it waits to be started. */
    mode: z.enum(["foreground", "background", "deferred"]),
    spec: AgentSpec,
    spec_sha256: z.string(),
  }),
  agent_started: z.object({ agent: z.string(), prompt: z.string() }),
  /** A message to an agent after its first prompt. `after` counts the answers it had given by then. */
  agent_steered: z.object({
    agent: z.string(),
    by: z.enum(["engine", "parent", "person"]),
    message: z.string(),
    /** `prompt` starts a new turn of an idle agent; `steer` joins the running one. */
    mode: z.enum(["prompt", "steer"]),
    after: Count,
    /** The control request or tool call it came from. */
    request: z.string().optional(),
  }),
  /** An agent ended without having read a message that had been accepted for it. */
  message_undelivered: z.object({
    agent: z.string(),
    by: z.enum(["parent", "person"]),
    message: z.string(),
    request: z.string().optional(),
  }),
  agent_reported: z.object({ agent: z.string(), call: z.string(), to: z.string(), message: z.string() }),
  agent_finished: z.object({
    agent: z.string(),
    outcome: AgentOutcome,
    result: z.string(),
    reason: z.string().optional(),
  }),
  model_answered: z.object({
    agent: z.string(),
    /** Its place among the agent's answers, from 0. */
    index: Count,
    reservation: z.string(),
    purpose: z.enum(["turn", "summary"]),
    /** Messages in the request it answers: a replay must ask the same. */
    messages: Count,
    stop_reason: z.enum(["stop", "length", "tool_use"]),
    usage: Usage,
    message: z.unknown(),
  }),
  tool_started: z.object({ agent: z.string(), call: z.string(), tool: z.string(), args: z.unknown() }),
  tool_finished: z.object({
    agent: z.string(),
    call: z.string(),
    tool: z.string(),
    ok: z.boolean(),
    /** What the model sees. */
    text: z.string(),
    /** True when the agent's turn ends with this result. */
    ends_turn: z.boolean().optional(),
  }),
  source_stored: z.object({
    /** Null for what the person gave the run. */
    agent: z.string().nullable(),
    source: z.string(),
    url: z.string(),
    final_url: z.string(),
    title: z.string().optional(),
    mime: z.string(),
    size: Count,
    status: z.int(),
    backend: z.string(),
    text_sha256: z.string().optional(),
    allowed_host: z.string().optional(),
    /** Hash of the source's metadata as it was then; later retrievals only add to it. */
    record_sha256: z.string().optional(),
  }),
  finding_published: z.object({
    agent: z.string(),
    call: z.string(),
    finding: Finding,
    /** Path under memory/ and hash of the note as it was published. */
    note: z.string(),
    note_sha256: z.string(),
  }),
  hypothesis_moved: z.object({
    agent: z.string(),
    hypothesis: z.string(),
    from: HypothesisState.nullable(),
    to: HypothesisState,
    because: z.string(),
  }),
  plan_registered: z.object({ agent: z.string(), call: z.string(), experiment: z.string(), plan: TestPlan, plan_sha256: z.string() }),
  experiment_started: z.object({
    agent: z.string(),
    call: z.string(),
    experiment: z.string(),
    execution: z.int().min(1),
    plan_sha256: z.string(),
    code_sha256: z.string(),
    command: z.array(z.string()),
  }),
  experiment_finished: z.object({
    agent: z.string(),
    call: z.string(),
    experiment: z.string(),
    execution: z.int().min(1),
    status: ExecutionStatus,
    outcome: ComputedOutcome,
    exit_code: z.int().nullable(),
    metrics: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])).optional(),
    reason: z.string().optional(),
    result_sha256: z.string(),
  }),
  review_recorded: z.object({ agent: z.string(), call: z.string(), review: Review }),
  question_closed: z.object({ agent: z.string(), question: z.string(), by: z.array(z.string()).min(1), answer: z.string() }),
  iteration_closed: z.object({
    iteration: z.int().min(1),
    by: z.enum(["supervisor", "engine"]),
    /** The research_control call that closed it; null where the engine did. */
    call: z.string().nullable(),
    claim: z.enum(["continue", "goal_achieved", "method_error", "external_only", "none"]),
    reason: z.string(),
    progress: Progress,
  }),
  spend_reserved: z.object({ reservation: z.string(), agent: z.string(), usd: z.number().min(0), tokens: Count }),
  /** Settles a reservation whose call gave no answer; an answered call is settled by model_answered. */
  spend_charged: z.object({ reservation: z.string(), usd: z.number().min(0), tokens: Count, reason: z.string() }),
  gate_opened: z.object({
    gate: z.string(),
    agent: z.string(),
    call: z.string(),
    prompt: z.string(),
    options: z.array(z.object({ label: z.string(), value: z.string() })),
    allowed_events: z.array(z.string()),
    output_schema: z.unknown().optional(),
  }),
  gate_answered: z.object({ gate: z.string(), event: z.string(), output: z.unknown().optional() }),
  run_paused: z.object({ reason: z.string() }),
  /** Also the mark of a new process taking over. Raised limits and what else changed are in `changes`. */
  run_resumed: z.object({
    reason: z.string(),
    hypo: z.string().optional(),
    pi: z.string().optional(),
    prompts_sha256: z.string().optional(),
    config: z.record(z.string(), z.unknown()).optional(),
    changes: z
      .array(
        z.object({ what: z.string(), from: z.unknown(), to: z.unknown(), class: z.enum(["compatible", "stale", "broken"]).optional() }),
      )
      .default([]),
    limits: Limits.optional(),
    budget: Budget.optional(),
    /** True when raised limits reopen a run that was over. */
    reopens: z.boolean().optional(),
    /** With `reopens`: the research stays ended, and only the report that a limit prevented is asked for again. */
    only_report: z.boolean().optional(),
  }),
  run_stopping: z.object({ reason: StopReason, detail: z.string() }),
  /** One part of a report that is drafted in rounds: its sections stand as they are once this is recorded. */
  report_part_drafted: z.object({
    agent: z.string(),
    call: z.string(),
    part: z.int().min(1),
    sections: z.array(ReportSection),
    digest: z.string(),
  }),
  report_written: z.object({
    by: z.enum(["supervisor", "code"]),
    /** Below the run's folder. */
    path: z.string(),
    sha256: z.string(),
    /** Hash of report.json beside it. */
    json_sha256: z.string().optional(),
    /** The write_report call whose draft it is made of. */
    call: z.string().optional(),
    /** The seq of the last fact of the run, on any branch, that it tells of: the record up to there gives it again. */
    record_head: Count.optional(),
    /** Drafts that were refused before this one. */
    refused: Count,
    /** True when it gives an answer, with at least low confidence. */
    answered: z.boolean(),
    why_code: z.string().optional(),
    /** The limit that kept the supervisor from a draft; once it is raised, the report can be asked for again. */
    limit: z.enum(["budget_exhausted", "wall_time"]).optional(),
  }),
  /** A note that code made of the whole run for later runs: its answer, or what its work taught. */
  conclusion_kept: z.object({
    id: z.string(),
    /** Path under memory/ and hash of the note as it was written. */
    note: z.string(),
    note_sha256: z.string(),
  }),
  run_finished: z.object({
    state: z.enum(["completed", "stopped", "failed"]),
    reason: StopReason,
    detail: z.string(),
    answered: z.boolean(),
  }),
} as const;

export type EventType = keyof typeof EVENT_DATA;
export type EventData<T extends EventType> = z.infer<(typeof EVENT_DATA)[T]>;
/** What happened, before it has a place in the journal. */
export type RunEvent = { [T in EventType]: { type: T; data: EventData<T> } }[EventType];

interface RecordBase {
  v: number;
  at: string;
}

/** A fact: an event with its place. `parent` is the `seq` of the fact before it on its ancestry, 0 for none. */
export type Fact = {
  [T in EventType]: RecordBase & { seq: number; parent: number; branch: string; type: T; data: EventData<T> };
}[EventType];

/** A branch move: creates or moves a named head. */
export interface BranchMove extends RecordBase {
  branch: string;
  head: number;
  from?: number | undefined;
  reason: string;
}

export type JournalRecord = Fact | BranchMove;
