import type { Config } from "../domain/config.ts";
import type { ItemId, RunId } from "../domain/ids.ts";
import type { ResolvedModel, ThinkingLevel } from "../domain/model.ts";
import type { OneAtATime } from "../domain/one-at-a-time.ts";
import type {
  AgentSessions,
  Clock,
  Criteria,
  ExperimentSandbox,
  Gateway,
  Memory,
  ProjectFiles,
  ReportWriter,
  SourceStore,
} from "../domain/ports.ts";
import type { AgentTree } from "./agent/agent-tree.ts";
import type { EngineCrashPoint } from "./crash-points.ts";
import type { Governor } from "./governor.ts";
import type { RunFolder } from "./run-folder.ts";
import type { RunLog } from "./run-log.ts";
import type { GateRecord } from "./state/run-state.ts";

/** The adapters a run works with. */
export interface Ports {
  sessions: AgentSessions;
  gateway: Gateway;
  sources: SourceStore;
  project: ProjectFiles;
  sandbox: ExperimentSandbox;
  criteria: Criteria;
  memory: Memory;
  report: ReportWriter;
}

export interface RunModels {
  supervisor: ResolvedModel;
  subagent: ResolvedModel;
  thinking: ThinkingLevel;
}

/** What everything inside a run shares. */
export interface RunContext {
  id: RunId;
  branch: string;
  /** The branch's present course (`courseName`), which what its calls make is named after. */
  course: string;
  log: RunLog;
  governor: Governor;
  tree: AgentTree;
  /** An agent's experiments run one after the other, also where its model asks for several at once. */
  experiments: OneAtATime;
  /** Executions of one test run one after the other, whichever agents and branches of this process they are of. */
  tests: OneAtATime;
  ports: Ports;
  models: RunModels;
  config: Config;
  clock: Clock;
  folder: RunFolder;
  /** Does nothing, unless a crash test has the process die at this point. */
  crashAt(point: EngineCrashPoint): void;
  /** A line for the person: warnings, once each. */
  say(line: string): void;
  /** What an experiment at work is doing, as often as it changes. */
  onProgress(experiment: ItemId, message: string): void;
  /** A gate waits for the person; whether the run waits too is its owner's choice. */
  gateOpen(gate: GateRecord): void;
  /** Ends the run at once because something outside the research failed. */
  fail(error: unknown): void;
}
