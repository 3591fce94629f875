import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { tableLines } from "../output/table.ts";
import { terminalWidth } from "../output/terminal.ts";
import { findProject } from "../project/project.ts";
import { experimentEntry } from "../runs/digest.ts";
import { experimentState } from "../runs/digest-text.ts";
import { experimentLines } from "../runs/experiment-text.ts";
import { findExperiments, pickById } from "../runs/find-experiment.ts";
import type { Stores } from "../stores.ts";
import type { ExperimentsListOptions, ExperimentsShowOptions } from "./options.ts";

/** Lists registered experiments over all runs, or of one. */
export async function experimentsListCommand(options: ExperimentsListOptions, io: Io, stores: Stores): Promise<number> {
  const { found, unread } = await findExperiments(await findProject(io.cwd), stores, options.run);
  const entries = found.map(({ run, branches, experiment }) => Object.assign(experimentEntry(run, experiment), { branches }));
  if (options.json) {
    writeJson(io, { experiments: entries, damaged_runs: unread });
    return 0;
  }
  for (const run of unread) writeErr(io, `Left out: ${run} cannot be read.`);
  if (entries.length === 0) {
    writeErr(io, "No experiments are registered here yet.");
    return 0;
  }
  const lines = tableLines<(typeof entries)[number]>(
    [
      { title: "EXPERIMENT", value: (row) => row.id },
      { title: "STATE", value: (row) => experimentState(row), max: 44 },
      { title: "RUNS", value: (row) => String(row.executions.length), side: "right" },
      { title: "HYPOTHESIS", value: (row) => row.hypothesis },
      { title: "TITLE", value: (row) => row.title, max: 200 },
    ],
    entries,
    terminalWidth(io),
    painterFor(io.color.stdout),
  );
  writeOut(io, lines.join("\n"));
  return 0;
}

/** Shows one experiment: its plan as frozen, executions and reviews. */
export async function experimentsShowCommand(options: ExperimentsShowOptions, io: Io, stores: Stores): Promise<number> {
  const { found } = await findExperiments(await findProject(io.cwd), stores, undefined);
  const { run, experiment } = pickById(found, (each) => each.experiment.id, options.experiment);
  if (options.json) {
    const { plan, planSha256, reviews } = experiment;
    const executions = experiment.executions.map(({ execution, agent, codeSha256, finished }) => ({
      execution,
      agent,
      code_sha256: codeSha256,
      status: finished?.status ?? "unfinished",
      outcome: finished?.outcome ?? null,
      exit_code: finished?.exitCode ?? null,
      metrics: finished?.metrics ?? null,
      reason: finished?.reason ?? null,
    }));
    writeJson(io, { run, experiment: experiment.id, author: experiment.author, plan, plan_sha256: planSha256, executions, reviews });
  } else writeOut(io, experimentLines(run, experiment, painterFor(io.color.stdout)).join("\n"));
  return 0;
}
