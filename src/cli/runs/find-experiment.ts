import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import { canonicalJson } from "../../domain/hash.ts";
import type { ItemId } from "../../domain/ids.ts";
import type { ExperimentRecord, RunState } from "../../engine/state/run-state.ts";
import type { Project } from "../project/project.ts";
import type { Stores } from "../stores.ts";
import { findRun, listRuns } from "./find-run.ts";
import { branchStates } from "./read-run.ts";

export interface FoundExperiment {
  run: string;
  /** The branches on which it is registered. */
  branches: string[];
  /** With the executions and reviews of all of them. */
  experiment: ExperimentRecord;
}

/** Experiments of all branches as the journals tell them, newest run first; runs that cannot be read are named. */
export async function findExperiments(
  project: Project | undefined,
  stores: Stores,
  only: string | undefined,
): Promise<{ found: FoundExperiment[]; unread: string[] }> {
  const places = only === undefined ? await listRuns(project) : [await findRun(project, only)];
  const found: FoundExperiment[] = [];
  const unread: string[] = [];
  for (const place of places) {
    try {
      found.push(...gatherExperiments(place.id, await branchStates(await stores.readRun(place.folder, place.id))));
    } catch (error) {
      if (!(error instanceof HypoError && error.code === "run_damaged")) throw error;
      unread.push(place.id);
    }
  }
  return { found, unread };
}

/** Each experiment once, however many branches have it. */
function gatherExperiments(run: string, branches: readonly { name: string; state: RunState }[]): FoundExperiment[] {
  const found = new Map<ItemId, FoundExperiment>();
  for (const { name, state } of branches) {
    for (const experiment of state.experiments.values()) {
      const known = found.get(experiment.id);
      if (!known) found.set(experiment.id, { run, branches: [name], experiment });
      else found.set(experiment.id, { run, branches: [...known.branches, name], experiment: joinRecords(known.experiment, experiment) });
    }
  }
  return [...found.values()];
}

/** Executions are numbered over all branches; one that a branch left unfinished may have its end on another. */
function joinRecords(one: ExperimentRecord, other: ExperimentRecord): ExperimentRecord {
  const executions = new Map(one.executions.map((each) => [each.execution, each]));
  for (const each of other.executions) if (!executions.get(each.execution)?.finished) executions.set(each.execution, each);
  const reviews = new Map([...one.reviews, ...other.reviews].map((review) => [canonicalJson(review), review]));
  return {
    ...one,
    executions: [...executions.values()].toSorted((a, b) => a.execution - b.execution),
    reviews: [...reviews.values()],
  };
}

/** Ids of the experiments whose files are there, also where the run that made them is not: in a clone, for example. */
export async function storedExperiments(project: Project | undefined): Promise<ItemId[]> {
  if (!project) return [];
  const names = await readdir(join(project.state, "experiments")).catch(() => []);
  return names.filter((name) => name.startsWith("x-")).toSorted();
}

/**
 * The one that a person names by its id or an unambiguous prefix of it.
 *
 * @throws HypoError `not_found`
 */
export function pickById<T>(all: readonly T[], idOf: (each: T) => ItemId, name: string): T {
  const matches = all.filter((each) => name !== "" && idOf(each).startsWith(name));
  const exact = matches.find((each) => idOf(each) === name);
  const only = exact ?? (matches.length === 1 ? matches[0] : undefined);
  if (only !== undefined) return only;
  const what =
    matches.length === 0 ? `No experiment is called ${JSON.stringify(name)}.` : `${matches.length} experiments begin with ${name}.`;
  throw new HypoError("not_found", what, { hint: "`hypo experiments list` shows them all." });
}
