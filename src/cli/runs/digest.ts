import { join } from "node:path";
import { openGate, workedUntil, type AgentState, type ExperimentRecord, type RunState } from "../../engine/state/run-state.ts";
import { agentsInOrder, elapsedOf } from "./agent-tree.ts";
import type { RunReading } from "./read-run.ts";

/** Most entries of each kind in a digest. */
export interface DigestLimits {
  agents: number;
  findings: number;
  others: number;
}

export type Digest = ReturnType<typeof digestOf>;

/**
 * What `hypo show` says of a run, as plain data of bounded size; the keys are those of `--json`. Pure.
 *
 * @param now epoch milliseconds
 */
export function digestOf(run: RunReading, limits: DigestLimits, now: number) {
  const { state, ledger } = run;
  // Time stands still for a run that nobody works on.
  const until = run.isLive ? now : state.clock.latest;
  const agents = agentsInOrder(state);
  const findings = [...state.findings.values()].map(({ finding }) => finding).filter(isPlainFinding);
  const hypotheses = [...state.hypotheses.values()];
  const questions = [...state.questions.values()];
  const experiments = [...state.experiments.values()];
  return {
    run: run.id,
    branch: run.branch,
    branches: [...run.heads].slice(0, limits.others).map(([branch, head]) => ({ branch, head })),
    question: run.meta.question,
    state: run.shown,
    created: run.meta.created,
    elapsed_seconds: Math.round(workedUntil(state.clock, until) / 1000),
    rehearsal: state.rehearsal,
    models: state.models,
    stop: state.finish ? { ...state.finish } : state.stopping ? { ...state.stopping, answered: false } : null,
    problem: run.process?.error ?? null,
    gate: gateOf(state),
    report: state.report ? join(run.folder, state.report.path) : null,
    spend: { usd: ledger.usd, tokens: ledger.tokens, reserved_usd: ledger.reservedUsd, answers: state.answers, budget: state.budget },
    iterations: {
      closed: state.iterations.length,
      limit: state.limits.iterations,
      without_progress: state.iterationsWithoutProgress,
      without_progress_limit: state.limits.iterations_without_progress,
    },
    sources: state.sources.size,
    agents: agents.slice(0, limits.agents).map((agent) => agentEntry(agent, state, until)),
    findings: findings.slice(-limits.findings).map(({ id, type, status, statement, evidence, agent }) => ({
      id,
      type,
      status,
      statement,
      quotes: evidence.length,
      agent,
    })),
    hypotheses: hypotheses.slice(0, limits.others),
    experiments: experiments.slice(0, limits.others).map((each) => experimentEntry(run.id, each)),
    questions: questions.slice(0, limits.others).map(({ id, text, closed, answer }) => ({ id, text, closed, answer: answer ?? null })),
    omitted: {
      agents: Math.max(0, agents.length - limits.agents),
      findings: Math.max(0, findings.length - limits.findings),
      hypotheses: Math.max(0, hypotheses.length - limits.others),
      experiments: Math.max(0, experiments.length - limits.others),
      questions: Math.max(0, questions.length - limits.others),
      branches: Math.max(0, run.heads.size - limits.others),
    },
  };
}

/** An experiment in short: what `experiments list` and the digest show of it. */
export function experimentEntry(run: string, experiment: ExperimentRecord) {
  return {
    run,
    id: experiment.id,
    title: experiment.plan.title,
    hypothesis: experiment.plan.hypothesis,
    author: experiment.author,
    executions: experiment.executions.map(({ execution, finished }) => ({
      execution,
      status: finished?.status ?? ("unfinished" as const),
      outcome: finished?.outcome ?? null,
      reason: finished?.reason ?? null,
    })),
    reviews: experiment.reviews.map(({ reviewer, execution, verdict, disagrees }) => ({ reviewer, execution, verdict, disagrees })),
  };
}

/** Hypotheses and questions have lists of their own. */
function isPlainFinding({ type }: { type: string }): boolean {
  return type !== "hypothesis" && type !== "open_question";
}

function agentEntry(agent: AgentState, state: RunState, until: number) {
  return {
    id: agent.id,
    parent: agent.parent,
    name: agent.spec.name,
    depth: agent.spec.depth,
    status: agent.status,
    model: agent.spec.model,
    elapsed_seconds: Math.round(elapsedOf(agent, state, until) / 1000),
    tokens: agent.tokens,
    usd: agent.usd,
    last_action: agent.lastAction,
    reason: agent.reason ?? null,
  };
}

function gateOf(state: RunState) {
  const gate = openGate(state);
  return gate
    ? { gate: gate.gate, seq: gate.seq, agent: gate.agent, prompt: gate.prompt, options: gate.options, allowed_events: gate.allowedEvents }
    : null;
}
