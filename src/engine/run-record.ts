import type { SourceRecord } from "../domain/source.ts";
import type { RunRecord } from "../domain/run-record.ts";
import type { Stop } from "./decide/stop.ts";
import type { RunContext } from "./run-context.ts";
import { isFinished, workedUntil, type RunState } from "./state/run-state.ts";

/** Everything a report may say of a run, from the journal and the metadata of the sources it cites. */
export async function makeRunRecord(run: RunContext, stop: Stop): Promise<RunRecord> {
  const { state, ledger } = run.log;
  return {
    run: state.run,
    branch: run.branch,
    question: state.question,
    rehearsal: state.rehearsal,
    started: state.startedAt,
    elapsed: Math.round(workedUntil(state.clock, state.clock.latest) / 1000),
    models: state.models,
    limits: state.limits,
    budget: state.budget,
    stop,
    findings: [...state.findings.values()].map(({ finding }) => finding),
    hypotheses: [...state.hypotheses.values()].map(({ id, statement, state: at, experiments }) => ({
      id,
      statement,
      state: at,
      experiments,
    })),
    questions: [...state.questions.values()].map(({ id, text, closed, answer, by }) => ({ id, text, closed, answer, by })),
    experiments: experimentsOf(state),
    agents: [...state.agents.values()].map((agent) => ({
      id: agent.id,
      parent: agent.parent,
      name: agent.spec.name,
      depth: agent.spec.depth,
      model: agent.spec.model,
      outcome: isFinished(agent)
        ? (agent.status as Exclude<typeof agent.status, "spawned" | "running">)
        : agent.parent === null
          ? "completed"
          : "unfinished",
      reason: agent.reason,
    })),
    iterations: state.iterations.map(({ iteration, claim, reason }) => ({ iteration, claim, reason })),
    spend: { usd: ledger.usd + ledger.reservedUsd, tokens: ledger.tokens + ledger.reservedTokens, answers: state.answers },
    sources: await citedSources(run),
    hypo: state.hypo,
    pi: state.pi,
  };
}

function experimentsOf(state: RunState): RunRecord["experiments"] {
  return [...state.experiments.values()].map(({ id, plan, planSha256, author, executions, reviews }) => ({
    id,
    plan,
    plan_sha256: planSha256,
    author,
    executions: executions.map(({ execution, finished }) => ({
      execution,
      status: finished?.status ?? "interrupted",
      outcome: finished?.outcome ?? "not_evaluable",
      exit_code: finished?.exitCode ?? null,
      metrics: finished?.metrics,
      reason: finished?.reason,
    })),
    reviews,
  }));
}

async function citedSources(run: RunContext): Promise<Record<string, SourceRecord>> {
  const cited = new Set(
    [...run.log.state.findings.values()].flatMap(({ finding }) =>
      [...finding.evidence, ...finding.counterevidence].map((each) => each.source),
    ),
  );
  const sources: Record<string, SourceRecord> = {};
  for (const id of cited) {
    const source = await run.ports.sources.find(id);
    if (source) sources[id] = source;
  }
  return sources;
}
