import type { AgentOutcome } from "./agent.ts";
import type { StopReason } from "./events.ts";
import type { ExecutionStatus, ComputedOutcome, Metrics, Review, TestPlan } from "./experiment.ts";
import type { Finding, HypothesisState } from "./finding.ts";
import type { Budget, Limits } from "./limits.ts";
import type { SourceRecord } from "./source.ts";

/** Everything a report may say of a run, read from the journal; plain data. */
export interface RunRecord {
  run: string;
  branch: string;
  question: string;
  rehearsal: boolean;
  started: string;
  /** Working time in seconds. */
  elapsed: number;
  models: { supervisor: string; subagent: string; thinking: string };
  limits: Limits;
  budget: Budget;
  stop: { reason: StopReason; detail: string };
  findings: Finding[];
  hypotheses: { id: string; statement: string; state: HypothesisState; experiments: string[] }[];
  questions: { id: string; text: string; closed: boolean; answer: string | undefined; by: string[] }[];
  experiments: {
    id: string;
    plan: TestPlan;
    plan_sha256: string;
    author: string;
    executions: {
      execution: number;
      status: ExecutionStatus;
      outcome: ComputedOutcome;
      exit_code: number | null;
      metrics: Metrics | undefined;
      reason: string | undefined;
    }[];
    reviews: Review[];
  }[];
  agents: {
    id: string;
    parent: string | null;
    name: string;
    depth: number;
    model: string;
    outcome: AgentOutcome | "unfinished";
    reason: string | undefined;
  }[];
  iterations: { iteration: number; claim: string; reason: string }[];
  spend: { usd: number; tokens: number; answers: number };
  /** Sources that findings cite, by id. */
  sources: Record<string, SourceRecord>;
  hypo: string;
  pi: string;
}

export interface ReportProblem {
  /** Where in the draft, as `sections[0].claims[2]`. */
  where: string;
  problem: string;
  mend: string;
}
