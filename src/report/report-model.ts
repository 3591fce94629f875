import type { z } from "zod";
import type { ComputedOutcome, ExecutionStatus, MetricPlan, Metrics, PlanData, Review } from "../domain/experiment.ts";
import type { HypothesisState } from "../domain/finding.ts";
import type { ReferenceCheck } from "../domain/reference-check.ts";
import type { ReportDraft } from "../domain/report-draft.ts";
import type { RunRecord } from "../domain/run-record.ts";

/** A report as data: what `report.json` holds and every renderer reads. Texts are as they were given, not escaped. */
export interface Report {
  v: 1;
  run: string;
  branch: string;
  question: string;
  rehearsal: boolean;
  written_by: "supervisor" | "code";
  /** Why code wrote it and not the supervisor. */
  why_code: string | null;
  opening: Opening;
  sections: Section[];
  evidence: { for: FindingView[]; against: Objection[]; not_established: FindingView[]; withdrawn: FindingView[] };
  hypotheses: HypothesisView[];
  experiments: ExperimentView[];
  negative_results: Statement[];
  open_questions: Statement[];
  limits: { text: string; from: string }[];
  method: Method;
  references: Reference[];
}

/** A mark in the text: a quote or source as `1` or `1.2`, anything else by its id. */
export interface Citation {
  label: string;
  anchor: string;
}

export interface Statement {
  text: string;
  /** Ids it rests on. */
  supports: string[];
  citations: Citation[];
}

export interface Opening {
  answer: Statement;
  confidence: ReportDraft["confidence"];
  counts: SupportCounts;
  /** The counts in words. */
  reasons: string[];
  would_change: string;
}

/** What an answer stands on, counted by code. */
export interface SupportCounts {
  /** True where the whole record was counted, since no answer names its supports. */
  whole_record: boolean;
  findings: number;
  corroborated: number;
  contested: number;
  sources: number;
  independent_sources: number;
  verdicts: { experiment: string; hypothesis: string; verdict: Review["verdict"] }[];
  replications: number;
  failed_replications: number;
  repeated_executions: number;
  disagreements: number;
}

export interface Section {
  title: string;
  interpretation: string | null;
  claims: Statement[];
}

export interface FindingView extends Statement {
  id: string;
  anchor: string;
  title: string;
  type: string;
  status: string;
  agent: string;
  limitations: string[];
}

/** Something that speaks against a finding or hypothesis. */
export interface Objection extends Statement {
  id: string;
  anchor: string;
  against: string[];
}

export interface HypothesisView {
  id: string;
  anchor: string;
  statement: string;
  state: HypothesisState;
  untested: boolean;
  /** Why there is no verdict. */
  why_untested: string | null;
  experiments: Citation[];
  for: Citation[];
  against: Citation[];
}

export interface ExperimentView {
  id: string;
  anchor: string;
  title: string;
  hypothesis: Citation;
  author: string;
  plan_sha256: string;
  method: string;
  success_criterion: string;
  refutation_criterion: string;
  baseline: string;
  split: string;
  seeds: number[];
  image: string;
  data: z.infer<typeof PlanData>[];
  confounders: string[];
  metrics: MetricPlan[];
  executions: ExecutionView[];
}

export interface ExecutionView {
  execution: number;
  status: ExecutionStatus;
  outcome: ComputedOutcome;
  exit_code: number | null;
  metrics: Metrics;
  reason: string | null;
  reviews: ReviewView[];
}

export interface ReviewView {
  reviewer: string;
  verdict: Review["verdict"];
  summary: string;
  limitations: string[];
  disagreement: string | null;
}

export interface Method {
  models: RunRecord["models"];
  agents: AgentView[];
  iterations: RunRecord["iterations"];
  spend: RunRecord["spend"];
  budget: RunRecord["budget"];
  started: string;
  elapsed_seconds: number;
  stop: RunRecord["stop"];
  hypo: string;
  pi: string;
}

export interface AgentView {
  id: string;
  name: string;
  model: string;
  outcome: string;
  reason: string | null;
  /** Levels below the first agent shown. */
  level: number;
}

/** A source with every quote the run took from it; built from the source's metadata alone. */
export interface Reference {
  number: number;
  anchor: string;
  source: string;
  title: string | null;
  authors: string[];
  published: string | null;
  doi: string | null;
  arxiv: string | null;
  url: string | null;
  retrieved: string | null;
  /** What scholarly services say of it; null where they were not asked. */
  check: Pick<ReferenceCheck, "status" | "retracted" | "remarks"> | null;
  quotes: QuoteView[];
}

export interface QuoteView {
  label: string;
  anchor: string;
  quote: string;
  /** Code points in the derived text. */
  start: number;
  end: number;
  extractor: string;
  text_sha256: string;
  findings: string[];
}
