import { HypoError } from "../../domain/errors.ts";
import type { ExecutionResult } from "../../domain/experiment.ts";
import { isDeciding } from "../../domain/standing-execution.ts";
import { hashOf } from "../../domain/hash.ts";
import { isConfirmatory, nextExecution, unsettledExecutions } from "../decide/experiment.ts";
import { event } from "../run-log.ts";
import { findExecution } from "../state/ledger.ts";
import type { ExecutionRecord, ExperimentRecord } from "../state/run-state.ts";
import type { ExperimentContext } from "./experiment-context.ts";
import { readPlanData } from "./plan-data.ts";

/** What is executed: source files by relative path, and a program with its arguments. */
export interface ExperimentCode {
  code: Record<string, string>;
  command: string[];
}

export function hashCode({ code, command }: ExperimentCode): string {
  return hashOf({ code, command });
}

/**
 * Executes a registered plan once, under the next number, and records how it ended. The caller sees to it that no other
 * execution of the same test is at work.
 *
 * @throws HypoError `refused`, `path_refused`, `plan_invalid` for what cannot be executed, before anything is recorded
 */
export async function executePlan(
  experiment: ExperimentRecord,
  program: ExperimentCode,
  context: ExperimentContext,
): Promise<ExecutionResult> {
  const { run, agent, call, signal } = context;
  const { plan, planSha256, id } = experiment;
  if (hashOf(plan) !== planSha256) throw new HypoError("internal", `the plan of ${id} differs from its hash`);
  const data = await readPlanData(plan, run.ports);
  const { code, command } = program;
  run.ports.sandbox.requireFiles({ code, data, plan });
  await run.ports.sandbox.savePlan(id, plan, planSha256);
  const codeSha256 = hashCode(program);
  await settleTest(experiment, run);
  const execution = nextExecution(run.log.ledger, id);
  const confirmatory = isConfirmatory(run.log.ledger, id);
  await run.log.record(
    event("experiment_started", { agent, call, experiment: id, execution, plan_sha256: planSha256, code_sha256: codeSha256, command }),
    ...moveHypothesis(experiment, "testing", context),
  );
  run.crashAt("experiment.started");
  const key = { run: run.id, branch: run.branch, agent, call, experiment: id, execution };
  const frozen = { confirmatory, plan, planSha256, code, codeSha256, command, data };
  const onProgress = (message: string): void => run.onProgress(id, message);
  const result = await run.ports.sandbox.execute({ ...key, ...frozen, signal, onProgress });
  run.crashAt("experiment.done");
  if (!signal.aborted) await recordEnd(result, experiment, context);
  return result;
}

/**
 * What an execution that was begun before a crash came to, once whatever it left is settled and recorded; undefined
 * where it has to be made anew.
 */
export async function settleExecution(
  experiment: ExperimentRecord,
  record: ExecutionRecord,
  context: ExperimentContext,
): Promise<ExecutionResult | undefined> {
  const { run } = context;
  const { call, agent, execution } = record;
  const own = { ...context, agent, call };
  if (record.finished) return wasCutShort(record.finished) ? undefined : run.ports.sandbox.result(experiment.id, execution);
  // Its containers are named after the branch it was made on, which a fork goes on from.
  const branch = findExecution(run.log.ledger, experiment.id, execution)?.branch ?? run.branch;
  const result = await run.ports.sandbox.reconcile({ run: run.id, branch, call, experiment: experiment.id, execution });
  if (result) await recordEnd(result, experiment, own);
  else await recordLoss(experiment, execution, own);
  return result && wasCutShort(result) ? undefined : result;
}

/**
 * Records how executions of the test ended that a crash or a rewind left without a recorded end, where they decided:
 * whatever branch they were made on, the next one must know. Those that did not decide are left to the calls that made them.
 */
async function settleTest({ id }: ExperimentRecord, run: ExperimentContext["run"]): Promise<void> {
  for (const { experiment, execution, branch, agent, call } of unsettledExecutions(run.log.ledger, id)) {
    const result = await run.ports.sandbox.reconcile({ run: run.id, branch, call, experiment, execution });
    if (result && isDeciding(result.status)) await run.log.record(endOf(result, { agent, call }));
  }
}

/** Ended with hypo's process or with the run that was left for later, and not by what it did. */
function wasCutShort({ status }: Pick<ExecutionResult, "status">): boolean {
  return status === "interrupted" || status === "cancelled";
}

async function recordLoss(experiment: ExperimentRecord, execution: number, { run, agent, call }: ExperimentContext): Promise<void> {
  await run.log.record(
    event("experiment_finished", {
      agent,
      call,
      experiment: experiment.id,
      execution,
      status: "interrupted",
      outcome: "not_evaluable",
      exit_code: null,
      reason: "hypo ended while it ran",
      result_sha256: "",
    }),
  );
}

async function recordEnd(result: ExecutionResult, experiment: ExperimentRecord, context: ExperimentContext): Promise<void> {
  const ran = isDeciding(result.status) || result.status === "interrupted";
  // The end comes last: where a crash lets only a part reach the disk, it is recorded again as a whole.
  await context.run.log.record(...(ran ? [] : moveHypothesis(experiment, "testable", context)), endOf(result, context));
}

function endOf(result: ExecutionResult, { agent, call }: Pick<ExperimentContext, "agent" | "call">) {
  const { experiment, execution, status, outcome, exit_code, metrics, reason, metrics_problem } = result;
  const why = reason ?? metrics_problem;
  return event("experiment_finished", {
    agent,
    call,
    experiment,
    execution,
    status,
    outcome,
    exit_code,
    ...(metrics ? { metrics } : {}),
    ...(why === undefined ? {} : { reason: why }),
    result_sha256: hashOf(result),
  });
}

/** A hypothesis is being tested while a test runs, and only testable again when the test could not run. */
function moveHypothesis(experiment: ExperimentRecord, to: "testing" | "testable", { run, agent }: ExperimentContext) {
  const { hypothesis } = experiment.plan;
  const from = run.log.state.hypotheses.get(hypothesis)?.state;
  if (from === undefined || from === to || !["proposed", "testable", "testing"].includes(from)) return [];
  return [event("hypothesis_moved", { agent, hypothesis, from, to, because: experiment.id })];
}
