import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { messageOf } from "../../domain/errors.ts";
import type { EventData } from "../../domain/events.ts";
import { ExecutionResult, type TestPlan } from "../../domain/experiment.ts";
import { canonicalJson, hashOf, sha256 } from "../../domain/hash.ts";
import type { Criteria } from "../../domain/ports.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";
import type { Outcome } from "./outcome.ts";
import { readStored } from "./read-files.ts";

const WRONG_HASH = "It does not have the recorded hash.";

type Finished = EventData<"experiment_finished">;

/** Code, result and artefacts of every execution by hash; metrics and criteria are read and evaluated again. */
export async function checkExecutions(folder: string, facts: EvidenceFacts, criteria: Criteria, found: Outcome): Promise<void> {
  const plans = new Map(facts.of("plan_registered").map(({ data }) => [data.experiment, data.plan]));
  const started = new Map(facts.of("experiment_started").map(({ data }) => [keyOf(data), data]));
  for (const { data } of facts.of("experiment_finished")) {
    found.checked.executions += 1;
    const plan = plans.get(data.experiment);
    if (plan !== undefined) checkOutcome(data, plan, criteria, found);
    // An execution that a crash cut off left no result.
    if (data.result_sha256 === "") continue;
    const place = join(folder, data.experiment, "executions", String(data.execution));
    const begun = started.get(keyOf(data));
    if (begun !== undefined) await checkCode(place, begun, found);
    const result = await checkResult(place, data, found);
    if (result !== undefined) await checkArtifacts(place, result, found);
  }
}

function keyOf({ experiment, execution }: { experiment: string; execution: number }): string {
  return `${experiment} ${execution}`;
}

function whereOf({ experiment, execution }: { experiment: string; execution: number }, file: string): string {
  return `experiments/${experiment}/executions/${execution}/${file}`;
}

function checkOutcome(data: Finished, plan: TestPlan, criteria: Criteria, found: Outcome): void {
  const outcome = data.status === "completed" ? criteria.evaluate(plan, data.metrics) : "not_evaluable";
  if (outcome !== data.outcome)
    found.add("outcome_differs", whereOf(data, "result.json"), `The criteria come to ${outcome}, and ${data.outcome} was recorded.`);
}

async function checkCode(place: string, begun: EventData<"experiment_started">, found: Outcome): Promise<void> {
  const source = join(place, "source");
  const paths = await listFiles(source);
  const files = await Promise.all(
    paths.map(async (path) => [path, (await readStored(join(source, path))).bytes?.toString("utf8")] as const),
  );
  if (hashOf({ code: Object.fromEntries(files), command: begun.command }) !== begun.code_sha256)
    found.add("code_changed", whereOf(begun, "source/"), "The code is not what was frozen before it ran.");
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function checkResult(place: string, data: Finished, found: Outcome): Promise<ExecutionResult | undefined> {
  const where = whereOf(data, "result.json");
  const { bytes, problem } = await readStored(join(place, "result.json"));
  if (bytes === undefined || sha256(bytes) !== data.result_sha256) {
    found.add("result_changed", where, problem ?? WRONG_HASH);
    return undefined;
  }
  const result = readResult(bytes);
  if (typeof result === "string") {
    found.add("result_changed", where, `It cannot be read: ${result}`);
    return undefined;
  }
  const agrees =
    result.status === data.status && result.outcome === data.outcome && canonicalJson(result.metrics) === canonicalJson(data.metrics);
  if (!agrees) found.add("result_changed", where, "Its status, outcome or metrics differ from the experiment_finished fact.");
  return result;
}

function readResult(bytes: Buffer): ExecutionResult | string {
  try {
    return ExecutionResult.parse(JSON.parse(bytes.toString("utf8")));
  } catch (error) {
    return messageOf(error);
  }
}

/** Every artefact by hash, and the metrics as the experiment wrote them. Paths are from a result with a good hash. */
async function checkArtifacts(place: string, result: ExecutionResult, found: Outcome): Promise<void> {
  for (const artifact of result.artifacts) {
    const where = whereOf(result, `artifacts/${artifact.path}`);
    const { bytes, problem } = await readStored(join(place, "artifacts", artifact.path));
    if (bytes === undefined || sha256(bytes) !== artifact.sha256) found.add("artifact_changed", where, problem ?? WRONG_HASH);
  }
}
