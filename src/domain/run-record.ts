import { z } from "zod";
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

const ReportClaim = z.strictObject({
  text: z.string().min(1).max(2000).describe("one claim, in your words"),
  supports: z.array(z.string()).min(1).max(20).describe("ids of the findings, experiments or sources it rests on"),
});

/** What write_report takes: the supervisor's draft. Code checks and renders it. */
export const ReportDraft = z.strictObject({
  answer: z.string().min(1).max(1200).describe("the answer in about two sentences"),
  answer_supports: z
    .array(z.string())
    .max(20)
    .default([])
    .describe("ids the answer rests on; empty only where the answer is that it is not known"),
  confidence: z.enum(["high", "moderate", "low", "none"]),
  would_change: z.string().min(1).max(1200).describe("what would change the answer"),
  sections: z
    .array(
      z.strictObject({
        title: z.string().min(1).max(120),
        /** Prose without support is allowed here and marked as interpretation. */
        interpretation: z.string().max(4000).optional().describe("your reading; shown as interpretation, not as evidence"),
        claims: z.array(ReportClaim).max(60).default([]),
      }),
    )
    .max(20)
    .default([]),
  limitations: z.array(z.string()).max(30).default([]),
});
export type ReportDraft = z.infer<typeof ReportDraft>;

export interface ReportProblem {
  /** Where in the draft, as `sections[0].claims[2]`. */
  where: string;
  problem: string;
  mend: string;
}
