import { z } from "zod";
import { HypoError } from "../../domain/errors.ts";
import type { ExecutionResult, TestPlan } from "../../domain/experiment.ts";
import { hashOf, sha256 } from "../../domain/hash.ts";
import { decidingExecution, nextExecution } from "../decide/experiment.ts";
import { event } from "../run-log.ts";
import type { ExecutionRecord, ExperimentRecord } from "../state/run-state.ts";
import { wrapUntrusted } from "./envelope.ts";
import { defineTool, refusal, say, type ToolCallContext } from "./tool.ts";

const MOST_CODE_BYTES = 2_000_000;
const SafePath = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_. -]*(\/[A-Za-z0-9_][A-Za-z0-9_. -]*){0,8}$/, "a relative path of plain names")
  .max(200);

const Input = z.strictObject({
  experiment: z.string().describe("id that register_experiment gave"),
  files: z
    .array(z.strictObject({ path: SafePath, content: z.string() }))
    .min(1)
    .max(200)
    .describe("source files, put under /work"),
  command: z.array(z.string().min(1)).min(1).max(64).describe('program and arguments, for example ["python3", "/work/main.py"]'),
});
type Input = z.output<typeof Input>;

export const runExperiment = defineTool({
  name: "run_experiment",
  description:
    "Runs a registered plan in a container without network and evaluates the frozen criteria on the metrics it wrote. The first run decides; every later one is kept as a repeat.",
  input: Input,
  class: "reconcilable",
  async run(input, context) {
    const { state } = context.run.log;
    const experiment = state.experiments.get(input.experiment);
    if (!experiment) return refusal(`There is no experiment ${input.experiment}. Register its plan first with register_experiment.`);
    const bytes = input.files.reduce((sum, file) => sum + Buffer.byteLength(file.content), 0);
    if (bytes > MOST_CODE_BYTES) return refusal(`The files are ${bytes} bytes, and at most ${MOST_CODE_BYTES} are allowed.`);
    const own = experiment.executions.findLast((each) => each.call === context.call && each.agent === context.agent);
    const finished = own && (await reconcile(experiment, own, context));
    const result = finished ?? (await execute(input, experiment, context));
    return say(describe(result, context.run.id));
  },
});

/** What an execution that this call began before a crash came to; undefined where it has to be made anew. */
async function reconcile(
  experiment: ExperimentRecord,
  record: ExecutionRecord,
  context: ToolCallContext,
): Promise<ExecutionResult | undefined> {
  const { run, call } = context;
  const key = { run: run.id, branch: run.branch, call, experiment: experiment.id, execution: record.execution };
  const result = record.finished ? await run.ports.sandbox.result(experiment.id, record.execution) : await run.ports.sandbox.reconcile(key);
  if (record.finished) return record.finished.status === "interrupted" ? undefined : result;
  if (result) await recordEnd(result, experiment, context);
  else {
    const { agent } = context;
    const reason = "hypo ended while it ran";
    await run.log.record(
      event("experiment_finished", {
        agent,
        call,
        experiment: experiment.id,
        execution: record.execution,
        status: "interrupted",
        outcome: "not_evaluable",
        exit_code: null,
        reason,
        result_sha256: "",
      }),
    );
  }
  return result;
}

async function execute(input: Input, experiment: ExperimentRecord, context: ToolCallContext): Promise<ExecutionResult> {
  const { run, agent, call, signal } = context;
  const code = Object.fromEntries(input.files.map((file) => [file.path, file.content]));
  const codeSha256 = hashOf({ code, command: input.command });
  if (hashOf(experiment.plan) !== experiment.planSha256)
    throw new HypoError("internal", `the plan of ${experiment.id} differs from its hash`);
  const data = await readData(experiment.plan, context);
  const execution = nextExecution(run.log.ledger, experiment.id);
  const started = event("experiment_started", {
    agent,
    call,
    experiment: experiment.id,
    execution,
    plan_sha256: experiment.planSha256,
    code_sha256: codeSha256,
    command: input.command,
  });
  await run.log.record(started, ...moveHypothesis(experiment, "testing", context));
  run.crashAt("experiment.started");
  const { plan, planSha256, id } = experiment;
  const onProgress = (message: string): void => run.say(`${id}: ${message}`);
  const confirmatory = decidingExecution(experiment) === undefined;
  const request = {
    run: run.id,
    branch: run.branch,
    agent,
    call,
    experiment: id,
    execution,
    confirmatory,
    plan,
    planSha256,
    code,
    codeSha256,
    command: input.command,
    data,
  };
  const result = await run.ports.sandbox.execute({ ...request, signal, onProgress });
  run.crashAt("experiment.done");
  if (!signal.aborted) await recordEnd(result, experiment, context);
  return result;
}

async function recordEnd(result: ExecutionResult, experiment: ExperimentRecord, context: ToolCallContext): Promise<void> {
  const { agent, call, run } = context;
  const { execution, status, outcome, exit_code, metrics, reason, metrics_problem } = result;
  const why = reason ?? metrics_problem;
  const ran = status !== "docker_unavailable" && status !== "image_unavailable" && status !== "cancelled";
  // The end comes last: where a crash lets only a part reach the disk, it is recorded again as a whole.
  await run.log.record(
    ...(ran ? [] : moveHypothesis(experiment, "testable", context)),
    event("experiment_finished", {
      agent,
      call,
      experiment: experiment.id,
      execution,
      status,
      outcome,
      exit_code,
      ...(metrics ? { metrics } : {}),
      ...(why === undefined ? {} : { reason: why }),
      result_sha256: hashOf(result),
    }),
  );
}

/** A hypothesis is being tested while a test runs, and only testable again when the test could not run. */
function moveHypothesis(experiment: ExperimentRecord, to: "testing" | "testable", { run, agent }: ToolCallContext) {
  const { hypothesis } = experiment.plan;
  const from = run.log.state.hypotheses.get(hypothesis)?.state;
  if (from === undefined || from === to || !["proposed", "testable", "testing"].includes(from)) return [];
  return [event("hypothesis_moved", { agent, hypothesis, from, to, because: experiment.id })];
}

async function readData(plan: TestPlan, { run }: ToolCallContext): Promise<Record<string, Uint8Array>> {
  const entries = await Promise.all(
    plan.data.map(async (file): Promise<[string, Uint8Array]> => {
      const bytes =
        file.from === "source" ? await run.ports.sources.bytes(file.sha256) : await run.ports.project.bytes(file.path ?? file.name);
      if (!bytes || sha256(bytes) !== file.sha256) {
        throw new HypoError("refused", `Data file ${file.name} is not what the plan froze (${file.sha256.slice(0, 12)}).`, {
          hint: "Restore the file, or register a new plan.",
        });
      }
      return [file.name, bytes];
    }),
  );
  return Object.fromEntries(entries);
}

function describe(result: ExecutionResult, run: string): string {
  const { execution, status, reason, exit_code, metrics, metrics_problem, outcome, limits_hit } = result;
  const head = { execution, status, reason, exit_code, criteria: outcome, metrics, metrics_problem, limits_hit };
  const logs = [
    `stdout:\n${clip(result.stdout_head, result.stdout_tail)}`,
    `stderr:\n${clip(result.stderr_head, result.stderr_tail)}`,
  ].join("\n");
  return `${JSON.stringify(head)}\n${wrapUntrusted(logs, { output: result.experiment }, run)}`;
}

function clip(head: string, tail: string): string {
  const start = head.slice(0, 2000);
  return tail === "" || head.length <= 2000 ? start : `${start}\n[...]\n${tail.slice(-2000)}`;
}
