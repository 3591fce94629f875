/**
 * What the engine needs of the world. Adapters are named by technology and implement these; only `cli/context.ts`
 * puts the two together.
 */
import type { Conclusion } from "./conclusion.ts";
import type { ComputedOutcome, ExecutionResult, Metrics, Review, TestPlan } from "./experiment.ts";
import type { Finding, Relation } from "./finding.ts";
import type { AgentId, CallId, ItemId, RunId, SourceId } from "./ids.ts";
import type { AnswerModel, ModelAnswer, ResolvedModel, ThinkingLevel } from "./model.ts";
import type { ReportDraft, ReportSection } from "./report-draft.ts";
import type { ReportProblem, RunRecord } from "./run-record.ts";
import type { SourceRecord } from "./source.ts";

/** Time, as an argument. */
export interface Clock {
  now(): Date;
  /** Milliseconds of a clock that never jumps. */
  monotonic(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

// ---- pi: agent sessions --------------------------------------------------------------------------------------

export interface ToolOutput {
  text: string;
  isError: boolean;
  /** True when the agent's turn ends after this result (if all results of the batch say so). */
  endsTurn?: boolean | undefined;
}

/** A tool as a session offers it to its model; `parameters` is JSON Schema. */
export interface SessionTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  execute(call: { id: CallId; args: unknown; signal: AbortSignal }): Promise<ToolOutput>;
}

interface SessionOptions {
  /** Also the session's id; letters, digits, dots and dashes. */
  id: string;
  parent: string | undefined;
  run: RunId;
  model: ResolvedModel;
  thinking: ThinkingLevel;
  systemPrompt: string;
  tools: SessionTool[];
  /** Folder of the Pi session files. */
  folder: string;
  answer: AnswerModel;
}

/** How a prompt ended: the final text, or why there is none. */
export interface TurnEnd {
  text: string;
  aborted: boolean;
  error: string | undefined;
}

export interface AgentSession {
  /** Runs the model and its tools until it has nothing more to do. */
  prompt(text: string): Promise<TurnEnd>;
  /** Joins the running turn: delivered after the current batch of tool calls. */
  steer(text: string): void;
  abort(): Promise<void>;
  dispose(): Promise<void>;
}

export interface AgentSessions {
  /** A recorded message as an answer. */
  readAnswer(message: unknown): ModelAnswer;
  /** A new session from nothing; a session file left by an earlier process under the same id is replaced. */
  open(options: SessionOptions): Promise<AgentSession>;
}

// ---- gateway: sources ----------------------------------------------------------------------------------------

export interface SearchRequest {
  query: string;
  kind: "web" | "papers" | "encyclopedia";
  limit: number;
  signal: AbortSignal;
  /** Which page of results, from 1; the first where left out. */
  page?: number | undefined;
  /** Language of the results: an ISO 639 code, with a region where one matters, such as `de` or `pt-BR`. */
  language?: string | undefined;
  /** Only what was published within so long. */
  time_range?: "day" | "month" | "year" | undefined;
}

export interface SearchHit {
  url: string;
  title: string;
  snippet: string;
  provider: string;
  authors?: string[] | undefined;
  /** Year, month or day, as far as it is known: `2020`, `2020-03`, `2020-03-01`. */
  published?: string | undefined;
  journal?: string | undefined;
  doi?: string | undefined;
  /** Where the whole text lies as a PDF that is free to read. */
  pdf_url?: string | undefined;
  retracted?: boolean | undefined;
}

export interface SearchAnswer {
  hits: SearchHit[];
  /** Whom the search went to; `note` says why there is no answer, or which wish was not heeded. */
  asked: { provider: string; ok: boolean; hits: number; note?: string | undefined }[];
  warnings: string[];
}

/** A document that was fetched, stored by hash and turned into text. */
export interface ReadDocument {
  source: SourceRecord;
  /** The derived text; quotes are checked against exactly this. */
  text: string;
  warnings: string[];
}

export interface CrawlRequest {
  url: string;
  pages: number;
  depth: number;
  signal: AbortSignal;
}

export interface CrawlAnswer {
  documents: ReadDocument[];
  skipped: { url: string; reason: string }[];
}

/** Search and reading through the guarded gateway. Everything it throws is a HypoError. */
export interface Gateway {
  search(request: SearchRequest): Promise<SearchAnswer>;
  read(url: string, options: { signal: AbortSignal; refresh?: boolean }): Promise<ReadDocument>;
  crawl(request: CrawlRequest): Promise<CrawlAnswer>;
  browse(url: string, task: string, signal: AbortSignal): Promise<ReadDocument>;
  /** Fetches and stores bytes of any allowed type, with text where it can be derived. */
  download(url: string, signal: AbortSignal): Promise<{ source: SourceRecord; text: string | undefined }>;
}

/** The source store: bytes under their SHA-256. Ids may be given as an unambiguous prefix of 8 digits or more. */
export interface SourceStore {
  find(idOrPrefix: string): Promise<SourceRecord | undefined>;
  /** The derived text, made again by the recorded extractor where it is not kept. */
  text(id: SourceId): Promise<string | undefined>;
  bytes(id: SourceId): Promise<Uint8Array | undefined>;
  /** The text derived anew from the stored bytes, whatever text is kept; undefined where bytes or an extractor are missing. */
  derive(id: SourceId): Promise<{ text: string; extractor: string } | undefined>;
  /** Keeps the derived text beside the bytes from now on, since something cites it or a person added it. */
  keepText(id: SourceId): Promise<void>;
  list(): Promise<SourceRecord[]>;
}

/** Read-only access to the person's project, confined to it and closed for secrets. Throws `path_refused`. */
export interface ProjectFiles {
  read(path: string, options?: { offset?: number; limit?: number }): Promise<string>;
  list(path: string): Promise<string>;
  grep(pattern: string, options?: { path?: string; glob?: string; ignoreCase?: boolean; limit?: number }): Promise<string>;
  find(glob: string, options?: { path?: string; limit?: number }): Promise<string>;
  /** The file's bytes, for the data of an experiment. */
  bytes(path: string): Promise<Uint8Array>;
}

// ---- sandbox -------------------------------------------------------------------------------------------------

/** The criteria of a plan, compiled and type-checked. */
export interface Criteria {
  check(plan: Pick<TestPlan, "metrics" | "success_criterion" | "refutation_criterion">): string[];
  evaluate(plan: Pick<TestPlan, "metrics" | "success_criterion" | "refutation_criterion">, metrics: Metrics | undefined): ComputedOutcome;
}

export interface ExecutionRequest {
  run: RunId;
  branch: string;
  agent: AgentId;
  call: CallId;
  experiment: ItemId;
  execution: number;
  /** True for the first execution that decides; later ones are repeats. */
  confirmatory: boolean;
  plan: TestPlan;
  planSha256: string;
  /** Source files by safe relative path. */
  code: Record<string, string>;
  codeSha256: string;
  command: string[];
  /** Data files by name, already checked against the plan's hashes. */
  data: Record<string, Uint8Array>;
  signal: AbortSignal;
  onProgress(message: string): void;
}

export interface ExperimentSandbox {
  /** Whether experiments can run now, with the reason and the way to mend it where they cannot. */
  available(): Promise<{ ok: true; detail: string } | { ok: false; reason: string; hint: string }>;
  /** The image a plan gets when it names none, or why none can be had. */
  defaultImage(): Promise<string>;
  /** Images a plan may name. */
  allowedImages(): string[];
  savePlan(experiment: ItemId, plan: TestPlan, planSha256: string): Promise<void>;
  /** Throws HypoError `refused` where files with these names or of this size cannot be an execution's. */
  requireFiles(files: Pick<ExecutionRequest, "code" | "data" | "plan">): void;
  /**
   * Runs a plan once in a container and stores `executions/<n>/` before it returns. Outcomes such as a missing
   * engine, a failed command or a timeout are results, not errors.
   */
  execute(request: ExecutionRequest): Promise<ExecutionResult>;
  /** The stored result of an execution, if it ended; containers left by a dead process are removed first. */
  reconcile(key: { run: RunId; branch: string; call: CallId; experiment: ItemId; execution: number }): Promise<ExecutionResult | undefined>;
  result(experiment: ItemId, execution: number): Promise<ExecutionResult | undefined>;
  /** Keeps a review beside the experiment; the same review again changes nothing. */
  saveReview(review: Review): Promise<void>;
  /** Removes containers and volumes of this run's agents (all of them, or those of one call). */
  abandon(run: RunId, call?: CallId): Promise<void>;
}

// ---- memory --------------------------------------------------------------------------------------------------

export interface MemoryHit {
  id: ItemId;
  type: string;
  status: string;
  title: string;
  snippet: string;
  path: string;
  run: RunId;
  created: string;
  score: number;
  /** Relations that its file names, without those to hidden notes. */
  related: Relation[];
}

interface MemoryQuery {
  text: string;
  limit: number;
  /** Notes that must not be shown (an isolated replica may not see what it replicates). */
  hide?: { run: RunId; agents: AgentId[] } | undefined;
}

export interface Memory {
  /** The note that publishing a finding would write: path under memory/ and full text. Pure. */
  noteFor(finding: Finding): { path: string; text: string };
  /** The note that saving what a run came to would write. Pure. */
  noteForConclusion(conclusion: Conclusion): { path: string; text: string };
  /**
   * Writes a note atomically and indexes it; writing the same note again changes nothing. Another text in its place is a
   * person's edit and is kept, unless its SHA-256 is among those of `replaces`.
   */
  write(note: { path: string; text: string }, replaces?: readonly string[]): Promise<void>;
  read(id: ItemId): Promise<{ path: string; text: string } | undefined>;
  search(query: MemoryQuery): Promise<MemoryHit[]>;
}

// ---- report --------------------------------------------------------------------------------------------------

export interface ReportWriter {
  /** What has to be mended before a draft may stand; empty where it may. Pure. */
  check(draft: ReportDraft, run: RunRecord): ReportProblem[];
  /** The same for some sections of a draft that is handed in by parts: whether their claims' ids and strength hold. Pure. */
  checkSections(sections: ReportSection[], run: RunRecord): ReportProblem[];
  /** `report.md` and `report.json` from a checked draft, or from the journal alone where there is none. Pure. */
  render(run: RunRecord, draft: ReportDraft | undefined, whyCode?: string): { markdown: string; json: string };
}
