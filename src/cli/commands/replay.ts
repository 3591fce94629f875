import { ExitCode, HypoError } from "../../domain/errors.ts";
import type { TestPlan } from "../../domain/experiment.ts";
import { isDeciding } from "../../domain/standing-execution.ts";
import type { ReplayRecord } from "../../domain/replay.ts";
import { findData, type DataPlaces } from "../../engine/experiments/plan-data.ts";
import { loadConfig } from "../config/load.ts";
import { openHandWorld, type HandWorld } from "../hand-context.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { withSpinner } from "../output/spinner.ts";
import { findProject } from "../project/project.ts";
import { findExperiments, pickById, storedExperiments } from "../runs/find-experiment.ts";
import { replayLines } from "../runs/replay-text.ts";
import { replayTimes } from "../runs/replay-times.ts";
import { withSignals } from "../signals.ts";
import type { Stores } from "../stores.ts";
import type { ReplayOptions } from "./options.ts";

/** Executes a stored experiment again. Resolves to 0 where every replay reproduced it, else to 1. */
export async function replayCommand(options: ReplayOptions, io: Io, stores: Stores): Promise<number> {
  const project = await findProject(io.cwd);
  const experiment = pickById(await storedExperiments(project), (id) => id, options.experiment);
  if (!project) throw new HypoError("not_found", "There is no hypo project here or above.");
  const { config } = await loadConfig(io);
  const { found } = await findExperiments(project, stores, undefined);
  const planSha256 = found.find((each) => each.experiment.id === experiment)?.experiment.planSha256;
  const say = (line: string): void => writeErr(io, line);
  const records: ReplayRecord[] = [];
  const made = (): string => `${records.length} of ${options.times} replays were made and are kept.`;
  const { endedBy } = await withSignals(async (signal) => {
    const world = await openHandWorld({ project, config, io, agentDir: options.agentDir, say, onProgress: say, signal });
    try {
      const execution = options.execution ?? (await decidingExecution(world, experiment));
      const places = world.setup.ports;
      await replayTimes(options.times, signal, async (time) => {
        const place = options.times === 1 ? "" : `replay ${time} of ${options.times}: `;
        const request = { experiment, execution, planSha256, findData: findQuietly(places), signal };
        const turning = { text: `${place}looking at the engine`, json: options.json, printsSteps: true };
        const record = await withSpinner(turning, io, (spinner) =>
          world.stored.replay({ ...request, onProgress: (message) => spinner.show(place + message) }),
        );
        records.push(record);
        if (!options.json) writeOut(io, replayLines(record, painterFor(io.color.stdout)).join("\n"));
      });
    } finally {
      await world.close();
    }
  }).catch((error: unknown) => {
    if (records.length > 0) say(made());
    throw error;
  });
  if (endedBy !== undefined && records.length < options.times) say(`Ended early: ${made()}`);
  // Where a person ended it early, what was not replayed was not reproduced.
  const reproduced = records.length === options.times && records.every((record) => record.reproduced);
  if (options.json) writeJson(io, { experiment, reproduced, replays: records });
  else if (options.times > 1) writeOut(io, `${records.filter((record) => record.reproduced).length} of ${records.length} reproduced it.`);
  return endedBy ?? (reproduced ? ExitCode.ok : ExitCode.failed);
}

/** The execution that decided; where none did, the latest. */
async function decidingExecution({ stored, setup }: HandWorld, experiment: string): Promise<number> {
  const executions = await stored.executions(experiment);
  for (const execution of executions) {
    const result = await setup.ports.sandbox.result(experiment, execution).catch((error: unknown) => {
      if (!(error instanceof HypoError)) throw error;
      throw new HypoError("replay_impossible", `Which execution decided cannot be told: ${error.message}`, {
        hint: "Name one with --execution, or restore the file from a backup.",
        cause: error,
      });
    });
    if (result && isDeciding(result.status)) return execution;
  }
  const latest = executions.at(-1);
  if (latest !== undefined) return latest;
  throw new HypoError("not_found", `${experiment} has not been executed, so there is nothing to replay.`, {
    hint: "`hypo experiments run` executes a plan that was registered by hand.",
  });
}

/** A place that cannot be read no longer has the file: the replay says so, with the file's name. */
function findQuietly(places: DataPlaces): (file: TestPlan["data"][number]) => Promise<Uint8Array | undefined> {
  return (file) =>
    findData(file, places).catch((error: unknown) => {
      if (error instanceof HypoError) return undefined;
      throw error;
    });
}
