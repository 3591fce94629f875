import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ExitCode, HypoError } from "../../domain/errors.ts";
import { makeRunId } from "../../domain/ids.ts";
import { RUN_ID_VARIABLE } from "../background/announcement.ts";
import { resumeArguments, runArguments } from "../background/arguments.ts";
import { startBackground, type BackgroundProcess } from "../background/start-background.ts";
import { NO_CAPS, type BatchOptions, type RunOptions } from "../commands/options.ts";
import type { Io } from "../io.ts";
import type { Project } from "../project/project.ts";
import type { RunReading } from "../runs/read-run.ts";
import type { BatchItem } from "./batch-line.ts";
import { errorOf, type BatchResult } from "./batch-result.ts";
import type { BatchStore } from "./batch-store.ts";
import { emptyResult, readItemRun, resultOf } from "./read-item.ts";

export interface ItemContext {
  options: BatchOptions;
  project: Project;
  store: BatchStore;
  io: Io;
  /** Aborted when the batch is asked to end. */
  signal: AbortSignal;
  /** Told of every process that is at work, until it has ended. */
  watch: (process: BackgroundProcess) => void;
}

/**
 * Has an item run to its end in a process of its own: anew, or from where its run was left. A crash of one is no
 * harm to the others, and each run's process is the one that its files name.
 *
 * @param before its run so far; undefined where it never began
 * @param cap most US dollars; null for no cap
 */
export async function runItem(
  item: BatchItem,
  before: RunReading | undefined,
  cap: number | null,
  context: ItemContext,
): Promise<BatchResult> {
  const { project, store, options, io } = context;
  const run = before?.id ?? makeRunId(io.now(), item.question, randomBytes(2).toString("hex"));
  if (!before) await store.assign(item, run);
  const log = join(store.folder, `${run}.log`);
  const started = before
    ? await startBackground(resumptionOf(before, cap, context), { io, log, isLeashed: true })
    : await startBackground(runArguments(settingsOf(item, cap, options)), {
        io,
        log,
        input: item.question,
        env: { [RUN_ID_VARIABLE]: run },
        isLeashed: true,
      });
  context.watch(started);
  const { exitCode, failure } = await started.ended;
  const reading = await readItemRun(project, run);
  const result = reading ? await resultOf(item, reading, project, options.requirement) : emptyResult(item);
  if (result.status !== "interrupted" && result.status !== "pending") return result;
  if (context.signal.aborted || exitCode === ExitCode.interrupted || exitCode === ExitCode.terminated)
    return { ...result, status: "interrupted" };
  return { ...result, status: "failed", error: errorOf(failure ?? endedEarly(exitCode, log)) };
}

function settingsOf({ sets }: BatchItem, cap: number | null, options: BatchOptions): RunOptions {
  return {
    json: false,
    debug: options.debug,
    agentDir: options.agentDir,
    question: "-",
    file: undefined,
    model: sets.model ?? options.model,
    subagentModel: sets.subagent_model ?? options.subagentModel,
    thinking: sets.thinking ?? options.thinking,
    maxCost: cap,
    maxTokens: sets.max_tokens ?? options.maxTokens,
    maxMinutes: sets.max_time ?? options.maxMinutes,
    maxAgents: sets.max_agents ?? options.maxAgents,
    maxDepth: sets.max_depth ?? options.maxDepth,
    maxIterations: sets.max_iterations ?? options.maxIterations,
    protocol: sets.protocol ?? options.protocol,
    context: [...options.context, ...(sets.context ?? [])],
    onGate: options.onGate,
  };
}

/** The models and limits are those the run was started with; its cap is changed only where the batch has another for it. */
function resumptionOf({ id, state }: RunReading, cap: number | null, { options }: ItemContext): string[] {
  const { debug, agentDir, onGate, acceptChanges } = options;
  const caps = { ...NO_CAPS, maxCost: cap === state.budget.usd ? undefined : cap };
  return resumeArguments({ ...caps, json: false, debug, agentDir, run: id, branches: ["main"], acceptChanges, onGate });
}

function endedEarly(exitCode: number | null, log: string): HypoError {
  const how = exitCode === null ? "by a signal" : `with exit code ${exitCode}`;
  return new HypoError("internal", `The process of the run ended ${how} before its run did.`, {
    hint: `What it said is in ${log}. The same batch again goes on with the run.`,
  });
}
