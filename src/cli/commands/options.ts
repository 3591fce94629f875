import type { ThinkingLevel } from "../../domain/model.ts";

/** Pi's levels, written out so that parsing a command line loads no schemas; the type keeps them true. */
export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const satisfies readonly ThinkingLevel[];

/** What every command is told. The folder of `-C` is `Io.cwd`, colours are `Io.color`. */
export interface GlobalOptions {
  json: boolean;
  debug: boolean;
  /** Pi's agent directory, where not the usual one. */
  agentDir: string | undefined;
}

/** Models asked for on the command line; undefined leaves it to the configuration. */
export interface ModelOptions {
  model: string | undefined;
  subagentModel: string | undefined;
  thinking: ThinkingLevel | undefined;
}

/** Caps on one run; undefined leaves it to the configuration. */
export interface CapOptions {
  /** US dollars. */
  maxCost: number | undefined;
  maxTokens: number | undefined;
  /** Working time in minutes. */
  maxMinutes: number | undefined;
  maxAgents: number | undefined;
  maxDepth: number | undefined;
  maxIterations: number | undefined;
}

/** What to do when a run needs a person's decision. */
export const ON_GATE = ["wait", "exit", "fail"] as const;
export type OnGate = (typeof ON_GATE)[number];

export interface RunOptions extends GlobalOptions, ModelOptions, CapOptions {
  question: string | undefined;
  /** Undefined means `wait` at a terminal and `exit` elsewhere. */
  onGate: OnGate | undefined;
}

export interface ResumeOptions extends GlobalOptions, CapOptions {
  /** Run id, unambiguous prefix, or `last`. */
  run: string;
  onGate: OnGate | undefined;
}

export interface DemoOptions extends GlobalOptions {
  onGate: OnGate | undefined;
}

export interface StopOptions extends GlobalOptions {
  run: string | undefined;
  all: boolean;
}

export interface RespondOptions extends GlobalOptions {
  run: string;
  /** The seq of the fact that opened the gate. */
  gate: number;
  event: string;
  /** JSON. */
  output: string | undefined;
}

export interface RunsOptions extends GlobalOptions {
  limit: number;
}

export interface ShowOptions extends GlobalOptions {
  run: string;
}

export interface ExperimentsListOptions extends GlobalOptions {
  /** Only those of this run. */
  run: string | undefined;
}

export interface ExperimentsShowOptions extends GlobalOptions {
  experiment: string;
}

export interface SourcesListOptions extends GlobalOptions {
  limit: number;
}

export interface SourcesShowOptions extends GlobalOptions {
  source: string;
  /** Print the whole derived text and nothing else. */
  text: boolean;
}

export interface SourcesSearchOptions extends GlobalOptions {
  query: string;
  limit: number;
}

export interface SourcesAddOptions extends GlobalOptions {
  /** Files, folders and URLs. */
  what: string[];
}

export interface SourcesRefreshOptions extends GlobalOptions {
  sources: string[];
}

export interface SourcesExportOptions extends GlobalOptions {
  /** All where empty. */
  sources: string[];
  to: string;
}

export interface SourcesVerifyOptions extends GlobalOptions {
  /** All where empty. */
  sources: string[];
}

export interface SourcesGcOptions extends GlobalOptions {
  /** Only what was last retrieved so many days ago or earlier. */
  olderThan: number;
  dryRun: boolean;
}

export interface MemorySearchOptions extends GlobalOptions {
  query: string;
  limit: number;
}

export type ConfigOptions = GlobalOptions;
