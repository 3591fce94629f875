import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import type { ItemId } from "../../domain/ids.ts";
import type { ExperimentRecord } from "../../engine/state/run-state.ts";
import type { Project } from "../project/project.ts";
import type { Stores } from "../stores.ts";
import { findRun, listRuns } from "./find-run.ts";
import { tryReadRun } from "./read-run.ts";

export interface FoundExperiment {
  run: string;
  experiment: ExperimentRecord;
}

/** Experiments as the journals tell them, newest run first; runs that cannot be read are named. */
export async function findExperiments(
  project: Project | undefined,
  stores: Stores,
  only: string | undefined,
): Promise<{ found: FoundExperiment[]; unread: string[] }> {
  const places = only === undefined ? await listRuns(project) : [await findRun(project, only)];
  const found: FoundExperiment[] = [];
  const unread: string[] = [];
  for (const place of places) {
    const reading = await tryReadRun(place, stores);
    if ("problem" in reading) unread.push(place.id);
    else for (const experiment of reading.state.experiments.values()) found.push({ run: place.id, experiment });
  }
  return { found, unread };
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
