import type { AgentOutcome, AgentSpec } from "../../domain/agent.ts";
import type { EventData, Progress, StopReason } from "../../domain/events.ts";
import type { ComputedOutcome, ExecutionStatus, Metrics, Review, TestPlan } from "../../domain/experiment.ts";
import type { Finding, HypothesisState } from "../../domain/finding.ts";
import type { AgentId, CallId, ItemId, SourceId } from "../../domain/ids.ts";
import { BUDGET_DEFAULT, LIMITS_DEFAULT } from "../../domain/limit-defaults.ts";
import type { Budget, Limits } from "../../domain/limits.ts";
import type { Protocol } from "../../domain/protocol.ts";

/** Where a run is in its life, as the journal tells it. */
export type RunStatus = "planning" | "running" | "paused" | "blocked" | "completed" | "stopped" | "failed";

type AgentStatus = "spawned" | "running" | AgentOutcome;

export interface AgentState {
  id: AgentId;
  parent: AgentId | null;
  call: CallId | null;
  mode: EventData<"agent_spawned">["mode"];
  spec: AgentSpec;
  status: AgentStatus;
  result: string;
  reason: string | undefined;
  children: AgentId[];
  /** Working time of the run, in milliseconds, when it started and when it ended. */
  startedAfter: number | undefined;
  endedAfter: number | undefined;
  answers: number;
  /** Its latest tool call or answer, for people. */
  lastAction: string;
  running: Map<CallId, string>;
  usd: number;
  tokens: number;
  reports: { call: CallId; message: string }[];
  /** Messages of its parent or a person that it ended without having read. */
  undelivered: string[];
}

export interface HypothesisRecord {
  id: ItemId;
  statement: string;
  author: AgentId;
  state: HypothesisState;
  experiments: ItemId[];
}

interface QuestionRecord {
  id: ItemId;
  text: string;
  closed: boolean;
  answer: string | undefined;
  by: ItemId[];
}

export interface ExecutionRecord {
  execution: number;
  agent: AgentId;
  call: CallId;
  codeSha256: string;
  /** Undefined while it runs, or when the process died before its end was recorded. */
  finished:
    | {
        status: ExecutionStatus;
        outcome: ComputedOutcome;
        exitCode: number | null;
        metrics: Metrics | undefined;
        reason: string | undefined;
      }
    | undefined;
}

export interface ExperimentRecord {
  id: ItemId;
  author: AgentId;
  call: CallId;
  plan: TestPlan;
  planSha256: string;
  executions: ExecutionRecord[];
  reviews: Review[];
}

interface PublishedFinding {
  finding: Finding;
  call: CallId;
  note: string;
  noteSha256: string;
}

export interface GateRecord {
  gate: ItemId;
  seq: number;
  agent: AgentId;
  call: CallId;
  prompt: string;
  options: { label: string; value: string }[];
  allowedEvents: string[];
  outputSchema: unknown;
  answer: { event: string; output: unknown } | undefined;
}

interface IterationRecord {
  iteration: number;
  by: "supervisor" | "engine";
  call: CallId | null;
  claim: EventData<"iteration_closed">["claim"];
  reason: string;
  progress: Progress;
}

/** The state of one branch: the fold of the facts on its ancestry. Plain data; only `evolve` changes it. */
export interface RunState {
  /** The head: seq of the latest fact. */
  head: number;
  run: string;
  question: string;
  models: EventData<"run_started">["models"];
  rehearsal: boolean;
  /** Undefined where the run follows no protocol beyond the usual procedure. */
  protocol: Protocol | undefined;
  limits: Limits;
  budget: Budget;
  hypo: string;
  pi: string;
  prompts: string;
  config: Record<string, unknown> | undefined;
  startedAt: string;
  status: RunStatus;
  agents: Map<AgentId, AgentState>;
  findings: Map<ItemId, PublishedFinding>;
  hypotheses: Map<ItemId, HypothesisRecord>;
  questions: Map<ItemId, QuestionRecord>;
  experiments: Map<ItemId, ExperimentRecord>;
  /** Sources by id, with the first URL each was read from and the hash of its metadata as it was then. */
  sources: Map<SourceId, { url: string; title: string | undefined; recordSha256: string | undefined }>;
  /** Those of them that the person gave the run. */
  material: SourceId[];
  gates: Map<ItemId, GateRecord>;
  iterations: IterationRecord[];
  /** What has been counted since the last closed iteration. */
  progress: Progress;
  iterationsWithoutProgress: number;
  answers: number;
  usd: number;
  tokens: number;
  stopping: { reason: StopReason; detail: string } | undefined;
  /** Refusals of the draft of the report, or of its part, that is being asked for. */
  refusedDrafts: number;
  /** Parts of a report drafted in rounds that stand. */
  reportParts: Pick<EventData<"report_part_drafted">, "part" | "call" | "sections" | "digest">[];
  report: EventData<"report_written"> | undefined;
  finish: EventData<"run_finished"> | undefined;
  clock: WorkingTime;
}

/** Working time: what passed while a process was at work, without pauses and without the time between processes. */
export interface WorkingTime {
  /** Milliseconds of finished segments. */
  before: number;
  /** Epoch milliseconds when the present segment began; undefined while paused. */
  since: number | undefined;
  /** Epoch milliseconds of the latest fact. */
  latest: number;
}

/** Working time at an instant, in milliseconds. */
export function workedUntil(clock: WorkingTime, now: number): number {
  return clock.before + (clock.since === undefined ? 0 : Math.max(0, now - clock.since));
}

export function noProgress(): Progress {
  return { findings: 0, closed_questions: 0, contradictions: 0, verdicts: 0 };
}

export function emptyRunState(): RunState {
  return {
    head: 0,
    run: "",
    question: "",
    models: { supervisor: "", subagent: "", thinking: "off" },
    rehearsal: false,
    protocol: undefined,
    limits: LIMITS_DEFAULT,
    budget: BUDGET_DEFAULT,
    hypo: "",
    pi: "",
    prompts: "",
    config: undefined,
    startedAt: "",
    status: "planning",
    agents: new Map(),
    findings: new Map(),
    hypotheses: new Map(),
    questions: new Map(),
    experiments: new Map(),
    sources: new Map(),
    material: [],
    gates: new Map(),
    iterations: [],
    progress: noProgress(),
    iterationsWithoutProgress: 0,
    answers: 0,
    usd: 0,
    tokens: 0,
    stopping: undefined,
    refusedDrafts: 0,
    reportParts: [],
    report: undefined,
    finish: undefined,
    clock: { before: 0, since: undefined, latest: 0 },
  };
}

export function isFinished(agent: AgentState): boolean {
  return agent.status !== "spawned" && agent.status !== "running";
}

export function isOver(state: RunState): boolean {
  return state.finish !== undefined;
}

/** The oldest gate that still waits for an answer. */
export function openGate(state: RunState): GateRecord | undefined {
  return [...state.gates.values()].find((gate) => gate.answer === undefined);
}
