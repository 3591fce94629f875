import type { ThinkingLevel } from "../../domain/model.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { RewindMode } from "../../engine/decide/rewind-point.ts";
import type { Requirement } from "../batch/batch-result.ts";

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
  /** US dollars; null for no cap. */
  maxCost: number | null | undefined;
  maxTokens: number | undefined;
  /** Working time in minutes. */
  maxMinutes: number | undefined;
  maxAgents: number | undefined;
  maxDepth: number | undefined;
  maxIterations: number | undefined;
}

/** For a run whose caps stay as they are. */
export const NO_CAPS: CapOptions = {
  maxCost: undefined,
  maxTokens: undefined,
  maxMinutes: undefined,
  maxAgents: undefined,
  maxDepth: undefined,
  maxIterations: undefined,
};

/** What to do when a run needs a person's decision. */
export const ON_GATE = ["wait", "exit", "fail"] as const;
export type OnGate = (typeof ON_GATE)[number];

/** The built-in procedures, written out for the same reason as the thinking levels. */
export const PROTOCOLS = ["survey", "hypothesis", "replicate"] as const satisfies readonly Protocol[];

/** What a run works by and from, besides its question. */
export interface ProcedureOptions {
  protocol: Protocol | undefined;
  /** Files, folders and URLs that become sources before the first model call. */
  context: string[];
}

export interface RunOptions extends GlobalOptions, ModelOptions, CapOptions, ProcedureOptions {
  /** `-` for stdin; undefined where it comes from a file, a pipe or the person's editor. */
  question: string | undefined;
  /** The file that holds the question. */
  file: string | undefined;
  /** Undefined means `wait` at a terminal and `exit` elsewhere. */
  onGate: OnGate | undefined;
}

export interface ResumeOptions extends GlobalOptions, CapOptions {
  /** Run id, unambiguous prefix, or `last`. */
  run: string;
  /** Empty where the run has only one. */
  branches: string[];
  /** Go on although prompts or settings have changed. */
  acceptChanges: boolean;
  onGate: OnGate | undefined;
}

export interface BatchOptions extends GlobalOptions, ModelOptions, CapOptions, ProcedureOptions {
  /** The file of questions. */
  file: string;
  /** Runs at once. */
  concurrency: number;
  out: string | undefined;
  junit: string | undefined;
  summary: string | undefined;
  isOrdered: boolean;
  requirement: Requirement;
  acceptChanges: boolean;
  onGate: OnGate | undefined;
}

export interface BranchesOptions extends GlobalOptions {
  run: string;
}

export interface ForkOptions extends GlobalOptions {
  run: string;
  /** The seq of the fact that the new branch goes on from. */
  from: number;
  name: string;
  reason: string | undefined;
}

export interface RewindOptions extends GlobalOptions {
  run: string;
  branch: string;
  /** Exactly one says where to. */
  to: number | undefined;
  toAgent: string | undefined;
  toIteration: number | undefined;
  toCompatible: boolean;
  mode: RewindMode;
  reason: string | undefined;
  /** Set the branch to work afterwards. */
  start: boolean;
}

export const REWIND_MODES = ["before", "after"] as const satisfies readonly RewindMode[];

export interface LogOptions extends GlobalOptions {
  run: string;
  /** Undefined means all. */
  branch: string | undefined;
  /** Kinds of facts; empty means all. */
  types: string[];
  follow: boolean;
}

/** What is asked of a run at work. */
export interface ControlOptions extends GlobalOptions {
  run: string;
  branch: string | undefined;
}

export interface SteerOptions extends ControlOptions {
  agent: string;
  message: string;
}

export interface CancelOptions extends ControlOptions {
  agent: string;
  subtree: boolean;
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
  /** Needed only where the gate is open on several branches. */
  branch: string | undefined;
  /** JSON. */
  output: string | undefined;
}

export interface RunsOptions extends GlobalOptions {
  /** Undefined means all. */
  limit: number | undefined;
  /** Only those that a process is at work on. */
  active: boolean;
}

export interface ShowOptions extends GlobalOptions {
  run: string;
  branch: string;
}

export interface VerifyOptions extends GlobalOptions {
  run: string;
  /** Ask scholarly services whether the references exist. */
  checkRefs: boolean;
}

export const EXPORT_FORMATS = ["md", "html", "json", "bibtex"] as const;

export interface ExportOptions extends GlobalOptions {
  run: string;
  branch: string;
  format: (typeof EXPORT_FORMATS)[number];
  /** Undefined means stdout. */
  out: string | undefined;
  checkRefs: boolean;
}

export interface ExperimentsListOptions extends GlobalOptions {
  /** Only those of this run. */
  run: string | undefined;
}

export interface ExperimentsShowOptions extends GlobalOptions {
  experiment: string;
}

export interface ExperimentsRegisterOptions extends GlobalOptions {
  /** Path of a YAML file. */
  plan: string;
}

export interface ExperimentsRunOptions extends GlobalOptions {
  experiment: string;
  /** Source files and folders below the current folder. */
  files: string[];
  command: string[];
}

export interface ExperimentsLogsOptions extends GlobalOptions {
  experiment: string;
  /** The latest where undefined. */
  execution: number | undefined;
  stderr: boolean;
}

export interface ReplayOptions extends GlobalOptions {
  experiment: string;
  /** The one that decided where undefined. */
  execution: number | undefined;
  times: number;
}

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export type DoctorOptions = GlobalOptions;

export type ConfigOptions = GlobalOptions;

/** With flags of `hypo run`, to see what they would come to. */
export type ConfigListOptions = GlobalOptions & ModelOptions & CapOptions;

export interface ConfigGetOptions extends GlobalOptions {
  key: string;
}

export interface ConfigUnsetOptions extends ConfigGetOptions {
  /** The project's file in place of the person's. */
  project: boolean;
}

export interface ConfigSetOptions extends ConfigUnsetOptions {
  /** As written on the command line. */
  value: string;
}

export interface TrustOptions extends GlobalOptions {
  revoke: boolean;
  list: boolean;
}
