import { resolve } from "node:path";
import type { Config } from "../../domain/config.ts";
import { ExitCode, HypoError } from "../../domain/errors.ts";
import type { ExecutionResult } from "../../domain/experiment.ts";
import { quoteForShell } from "../../domain/shell-word.ts";
import type { PlanInput } from "../../engine/experiments/register-plan.ts";
import { executeByHand, registerByHand, type ManualExecution } from "../../engine/manual-run.ts";
import { loadConfig } from "../config/load.ts";
import { openHandWorld } from "../hand-context.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { plainBlock, plainLine } from "../output/plain-text.ts";
import { withSpinner, type Spinner } from "../output/spinner.ts";
import { withProject } from "../project/fresh-project.ts";
import { chooseProject, findProject, type Project } from "../project/project.ts";
import { findExperiments, pickById } from "../runs/find-experiment.ts";
import { readRunMeta } from "../runs/run-files.ts";
import { runFolder } from "../../engine/run-folder.ts";
import { withSignals } from "../signals.ts";
import type { Stores } from "../stores.ts";
import { readSourceFiles } from "./experiment-files.ts";
import type { ExperimentsRegisterOptions, ExperimentsRunOptions } from "./options.ts";
import { readPlanFile } from "./plan-file.ts";

/** Freezes a plan from a YAML (or JSON) file, in a run of its own. */
export async function experimentsRegisterCommand(options: ExperimentsRegisterOptions, io: Io): Promise<number> {
  const input = await readPlanFile(resolve(io.cwd, options.plan));
  const { config } = await loadConfig(io);
  return withProject(await chooseProject(io.cwd), (project) => register(input, options, { project, config, io }));
}

async function register(
  input: PlanInput,
  options: ExperimentsRegisterOptions,
  { project, config, io }: { project: Project; config: Config; io: Io },
): Promise<number> {
  const signal = new AbortController().signal;
  const say = (line: string): void => writeErr(io, line);
  const world = await openHandWorld({ project, config, io, agentDir: options.agentDir, say, onProgress: say, signal });
  try {
    const { run, id, plan, planSha256 } = await registerByHand(input, world.setup);
    if (options.json) writeJson(io, { run, experiment: id, plan, plan_sha256: planSha256 });
    else {
      writeOut(io, `Registered ${id}, frozen as ${planSha256.slice(0, 12)}, on image ${plan.image}.`);
      writeErr(io, `Run it: hypo experiments run ${id} --file main.py -- python3 main.py`);
    }
    return ExitCode.ok;
  } finally {
    await world.close();
  }
}

/** Executes a plan that was registered by hand. Resolves to 0 where there is an outcome, 3 where it could not run, else 1. */
export async function experimentsRunCommand(options: ExperimentsRunOptions, io: Io, stores: Stores): Promise<number> {
  const project = await findProject(io.cwd);
  const { found } = await findExperiments(project, stores, undefined);
  const { run, experiment } = pickById(found, (each) => each.experiment.id, options.experiment);
  if (!project) throw new HypoError("not_found", "There is no hypo project here or above.");
  await requireByHand(runFolder(project.state, run).path, experiment.id);
  const code = await readSourceFiles(io.cwd, options.files);
  const { config } = await loadConfig(io);
  const work = async (spinner: Spinner, signal: AbortSignal): Promise<ManualExecution> => {
    const [say, onProgress] = [spinner.say.bind(spinner), spinner.show.bind(spinner)];
    const world = await openHandWorld({ project, config, io, agentDir: options.agentDir, say, onProgress, signal });
    try {
      return await executeByHand(run, experiment.id, { code, command: options.command }, world.setup);
    } finally {
      await world.close();
    }
  };
  const { value, endedBy } = await withSignals((signal) =>
    withSpinner({ text: "Looking at the engine", json: options.json, printsSteps: true }, io, (spinner) => work(spinner, signal)),
  );
  if (value.isRecovered) writeErr(io, "An earlier command was killed after this had run; its result is used, nothing ran twice.");
  if (options.json) writeJson(io, { run, recovered: value.isRecovered, result: value.result });
  else writeOut(io, resultLines(value.result).join("\n"));
  return endedBy ?? exitCodeOf(value.result);
}

async function requireByHand(folder: string, experiment: string): Promise<void> {
  const { run, origin } = await readRunMeta(folder);
  if (origin === "manual") return;
  throw new HypoError("refused", `${experiment} was registered by an agent of run ${run}, and its executions are that run's.`, {
    hint:
      `\`hypo replay ${quoteForShell(experiment)}\` executes it again; to run the same plan by hand, ` +
      "register it yourself (`hypo experiments show --json` has it).",
  });
}

function exitCodeOf({ status, metrics_problem }: ExecutionResult): number {
  if (status === "docker_unavailable" || status === "image_unavailable") return ExitCode.noAnswer;
  return status === "completed" && metrics_problem === undefined ? ExitCode.ok : ExitCode.failed;
}

function resultLines(result: ExecutionResult): string[] {
  const { experiment, execution, confirmatory, status, outcome, exit_code, reason, metrics_problem, metrics, stderr_tail, stderr_head } =
    result;
  const why = reason ?? metrics_problem;
  const err = status === "failed" ? (stderr_tail === "" ? stderr_head : stderr_tail) : "";
  return [
    `${experiment} execution ${execution}${confirmatory ? "" : " (a repeat)"}: ${status}, outcome ${outcome}` +
      (exit_code === null ? "" : `, exit code ${exit_code}`),
    ...(why === undefined ? [] : [`  ${plainLine(why)}`]),
    ...Object.entries(metrics ?? {}).map(([name, value]) => `  ${name} = ${plainLine(String(value))}`),
    ...(err === "" ? [] : [plainBlock(err.slice(-2000)).trimEnd()]),
  ];
}
