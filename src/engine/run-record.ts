import type { SourceStore } from "../domain/ports.ts";
import type { RunRecord } from "../domain/run-record.ts";
import type { SourceRecord } from "../domain/source.ts";
import { asRecorded } from "../domain/source-states.ts";
import type { Stop } from "./decide/stop.ts";
import type { Ledger } from "./state/ledger.ts";
import { isFinished, workedUntil, type RunState } from "./state/run-state.ts";

/** What a record is made of: a branch as its facts tell it up to some point. */
export interface RecordBasis {
  state: RunState;
  ledger: Ledger;
  branch: string;
}

/**
 * Everything a report may say of a run, from the journal and the metadata of the sources it cites. The same facts give
 * the same record later, whatever has been retrieved since.
 */
export async function makeRunRecord(basis: RecordBasis, store: Pick<SourceStore, "find">, stop: Stop): Promise<RunRecord> {
  const record = recordWithoutSources(basis, stop);
  const cited = new Set(
    record.findings.flatMap(({ evidence, counterevidence }) => [...evidence, ...counterevidence].map((each) => each.source)),
  );
  for (const id of cited) {
    const source = await store.find(id);
    if (source) record.sources[id] = asFirstRead(source, basis.state.sources.get(id)?.recordSha256);
  }
  return record;
}

/** Taken at once, so that it tells of one point in the journal. */
function recordWithoutSources({ state, ledger, branch }: RecordBasis, stop: Stop): RunRecord {
  return {
    run: state.run,
    branch,
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
      experiments: [...experiments],
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
    sources: {},
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
    reviews: [...reviews],
  }));
}

/**
 * A source as it was when the branch first read it. What was retrieved since, by anyone and at any moment, is left out,
 * and so is all but the first retrieval where the branch has not read it.
 */
function asFirstRead(source: SourceRecord, recordSha256: string | undefined): SourceRecord {
  const read = recordSha256 === undefined ? undefined : asRecorded(source, recordSha256);
  return read ?? { ...source, retrievals: source.retrievals.slice(0, 1) };
}
