import { z } from "zod";
import type { ExecutionResult } from "../../domain/experiment.ts";
import type { ToolOutput } from "../../domain/ports.ts";
import { executePlan, settleExecution } from "../experiments/execute-plan.ts";
import { testOfExperiment } from "../state/ledger.ts";
import { wrapUntrusted } from "./envelope.ts";
import { defineTool, refusal, say, type ToolCallContext } from "./tool.ts";

const MOST_CODE_BYTES = 2_000_000;
const CANCELLED = "It was cancelled before it ran.";
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

export const runExperiment = defineTool({
  name: "run_experiment",
  description:
    "Runs a registered plan in a container without network and evaluates the frozen criteria on the metrics it wrote. The first run decides; every later one is kept as a repeat. /work is read-only: write results to /out and scratch files to /tmp, and end with exit code 0 after writing /out/metrics.json with exactly the declared metrics.",
  input: Input,
  class: "reconcilable",
  run: (input, context) => {
    const { experiments, tests, log } = context.run;
    return experiments.run(context.agent, () =>
      untilCancelled(context.signal, (onTurn) =>
        tests.run(testOfExperiment(log.ledger, input.experiment), () => {
          onTurn();
          return runInTurn(input, context);
        }),
      ),
    );
  },
});

/** Waits for the turn of a call, but no longer than the call is wanted: what others execute may take hours. */
async function untilCancelled(signal: AbortSignal, work: (onTurn: () => void) => Promise<ToolOutput>): Promise<ToolOutput> {
  const cancelled = Promise.withResolvers<ToolOutput>();
  const cancel = (): void => cancelled.resolve(refusal(CANCELLED));
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel);
  const stopListening = (): void => signal.removeEventListener("abort", cancel);
  try {
    return await Promise.race([cancelled.promise, work(stopListening)]);
  } finally {
    stopListening();
  }
}

async function runInTurn(input: z.output<typeof Input>, context: ToolCallContext): Promise<ToolOutput> {
  if (context.signal.aborted) return refusal(CANCELLED);
  const { state } = context.run.log;
  const experiment = state.experiments.get(input.experiment);
  if (!experiment) return refusal(`There is no experiment ${input.experiment}. Register its plan first with register_experiment.`);
  const bytes = input.files.reduce((sum, file) => sum + Buffer.byteLength(file.content), 0);
  if (bytes > MOST_CODE_BYTES) return refusal(`The files are ${bytes} bytes, and at most ${MOST_CODE_BYTES} are allowed.`);
  const own = experiment.executions.findLast((each) => each.call === context.call && each.agent === context.agent);
  const finished = own && (await settleExecution(experiment, own, context));
  const code = Object.fromEntries(input.files.map((file) => [file.path, file.content]));
  const result = finished ?? (await executePlan(experiment, { code, command: input.command }, context));
  return say(describe(result, context.run.id));
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
