import type { ExecutionResult, ExecutionStatus, TestPlan } from "../domain/experiment.ts";
import type { Criteria, ExecutionRequest } from "../domain/ports.ts";
import { describeInputs, type InputFiles } from "./inputs.ts";
import { readMetrics } from "./metrics.ts";
import type { Capture } from "./output.ts";
import type { PairEnding } from "./ending.ts";

/** A result as far as it is known before anything ran; it stays so where hypo is killed before the end. */
export function startResult(request: ExecutionRequest, inputs: InputFiles, startedAt: Date): ExecutionResult {
  return {
    v: 1,
    experiment: request.experiment,
    execution: request.execution,
    confirmatory: request.confirmatory,
    status: "interrupted",
    reason: "hypo ended before the experiment did",
    exit_code: null,
    outcome: "not_evaluable",
    plan_sha256: request.planSha256,
    code_sha256: request.codeSha256,
    command: request.command,
    image: request.plan.image,
    files: describeInputs(inputs),
    artifacts: [],
    refused_artifacts: [],
    stdout_head: "",
    stdout_tail: "",
    stderr_head: "",
    stderr_tail: "",
    stdout_bytes: 0,
    stderr_bytes: 0,
    limits_hit: [],
    environment: {},
    started_at: startedAt.toISOString(),
    ended_at: startedAt.toISOString(),
  };
}

/** A result of an execution that never ran, or whose containers are gone. */
export function endWithout(started: ExecutionResult, status: ExecutionStatus, reason: string, endedAt: Date): ExecutionResult {
  return { ...started, status, reason, ended_at: endedAt.toISOString() };
}

/** The result of a payload that ran: how it ended, what it left, and what the frozen criteria say of it. */
export function endWith(
  started: ExecutionResult,
  ending: PairEnding,
  output: { stdout: Capture; stderr: Capture } | undefined,
  judge: { plan: TestPlan; criteria: Criteria },
  endedAt: Date,
): ExecutionResult {
  const { status, reason } = statusOfEnding(ending, judge.plan);
  const { reason: _placeholder, ...known } = started;
  return {
    ...known,
    status,
    ...(reason === undefined ? {} : { reason }),
    exit_code: ending.exitCode,
    ...judgeMetrics(status, ending, judge),
    artifacts: ending.artifacts?.files ?? [],
    refused_artifacts: ending.artifacts?.refused ?? [],
    ...(output === undefined ? {} : describeOutput(output)),
    limits_hit: limitsHit(ending),
    ended_at: endedAt.toISOString(),
  };
}

/** Ends and hashes of what it wrote; an execution that nobody was there to listen to has none. */
function describeOutput(output: { stdout: Capture; stderr: Capture }) {
  const stdout = output.stdout.excerpt();
  const stderr = output.stderr.excerpt();
  return {
    stdout_head: stdout.head,
    stdout_tail: stdout.tail,
    stderr_head: stderr.head,
    stderr_tail: stderr.tail,
    stdout_bytes: output.stdout.total,
    stderr_bytes: output.stderr.total,
    stdout_sha256: output.stdout.sha256(),
    stderr_sha256: output.stderr.sha256(),
  };
}

/** One status from everything that happened; what hypo did itself comes before what it made happen. */
export function statusOfEnding(ending: PairEnding, plan: Pick<TestPlan, "limits">): { status: ExecutionStatus; reason?: string } {
  switch (ending.interference) {
    case "cancelled":
      return { status: "cancelled", reason: "it was cancelled while it ran" };
    case "output_limit":
      return { status: "output_limit", reason: "it wrote more to stdout and stderr than the 64 MB allowed" };
    case "timed_out":
      return { status: "timed_out", reason: "it did not end within its time limit" };
    case undefined:
  }
  if (ending.lost !== undefined) return { status: "interrupted", reason: ending.lost };
  if (ending.exitCode === 0) return { status: "completed" };
  if (ending.outOfMemory)
    return { status: "out_of_memory", reason: `it needed more than its memory limit (the plan asks for ${plan.limits.memory_mb} MB)` };
  return { status: "failed", reason: describeExit(ending.exitCode) };
}

function describeExit(exitCode: number | null): string {
  if (exitCode === 127) return "a command was not found in the image (exit code 127)";
  return exitCode !== null && exitCode > 128
    ? `it was ended by signal ${exitCode - 128} (exit code ${exitCode})`
    : `it ended with exit code ${exitCode}`;
}

function judgeMetrics(
  status: ExecutionStatus,
  ending: PairEnding,
  judge: { plan: TestPlan; criteria: Criteria },
): Pick<ExecutionResult, "metrics" | "metrics_problem" | "outcome"> {
  if (status !== "completed") return { outcome: "not_evaluable" };
  const bytes = ending.artifacts?.metrics;
  if (bytes === undefined) return { outcome: "not_evaluable", metrics_problem: missingMetrics(ending) };
  const reading = readMetrics(bytes, judge.plan.metrics);
  if ("problem" in reading) return { outcome: "not_evaluable", metrics_problem: reading.problem };
  return { outcome: judge.criteria.evaluate(judge.plan, reading.metrics), metrics: reading.metrics };
}

function missingMetrics(ending: PairEnding): string {
  const refused = ending.artifacts?.refused.find(({ path }) => path === "metrics.json");
  if (refused !== undefined) return `/out/metrics.json cannot be read: ${refused.reason}`;
  const tooLarge = ending.artifacts?.files.find(({ path }) => path === "metrics.json");
  if (tooLarge !== undefined) return `metrics.json has ${tooLarge.size} bytes; at most 1 MiB is read`;
  return "the experiment did not write /out/metrics.json";
}

function limitsHit(ending: PairEnding): string[] {
  return [
    ending.interference === "timed_out" ? "seconds" : undefined,
    ending.interference === "output_limit" ? "output" : undefined,
    ending.outOfMemory ? "memory" : undefined,
    ending.artifacts?.cut === undefined ? undefined : `artifacts: ${ending.artifacts.cut}`,
  ].filter((limit) => limit !== undefined);
}
