import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";
import { isRunId, type RunId } from "../../domain/ids.ts";
import { nearest } from "../nearest.ts";
import type { Project } from "../project/project.ts";

export interface RunPlace {
  id: RunId;
  folder: string;
}

/** The runs of a project, newest first; none outside a project. */
export async function listRuns(project: Project | undefined): Promise<RunPlace[]> {
  if (!project) return [];
  const runs = join(project.state, "runs");
  // Ids begin with the time, to the second.
  const ids = namesIn(runs).filter(isRunId).sort().toReversed();
  return ids.map((id) => ({ id, folder: join(runs, id) }));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw new HypoError("storage_failed", `${folder} cannot be read: ${messageOf(error)}.`, {
      hint: "Make it readable for you.",
      cause: error,
    });
  }
}

/** The project that a run belongs to. */
export function projectOf({ folder }: RunPlace): Project {
  const state = dirname(dirname(folder));
  return { root: dirname(state), state };
}

/**
 * The run that a person names: a whole id, an unambiguous prefix, or `last`.
 *
 * @throws HypoError `run_unknown`, `run_ambiguous`
 */
export async function findRun(project: Project | undefined, name: string): Promise<RunPlace> {
  const runs = await listRuns(project);
  if (runs.length === 0) {
    throw new HypoError("run_unknown", project ? "There are no runs in this project yet." : "There is no hypo project here or above.", {
      hint: 'Start one with `hypo run "question"`, or name another folder with `-C <dir>`.',
    });
  }
  const newest = runs[0];
  if (name === "last" && newest) return newest;
  const exact = runs.find((run) => run.id === name);
  const matches = exact ? [exact] : runs.filter((run) => name !== "" && run.id.startsWith(name));
  const [only, ...others] = matches;
  if (!only) throw unknownRun(name, runs);
  if (others.length > 0) throw ambiguousRun(name, matches);
  return only;
}

function unknownRun(name: string, runs: readonly RunPlace[]): HypoError {
  const close = nearest(
    name,
    runs.map((run) => run.id),
  );
  return new HypoError("run_unknown", `No run is called ${JSON.stringify(name)}.`, {
    hint: close === undefined ? "`hypo runs` lists the runs; `last` is the newest." : `Did you mean ${close}?`,
  });
}

function ambiguousRun(name: string, matches: readonly RunPlace[]): HypoError {
  const shown = matches.slice(0, 5).map((run) => run.id);
  const more = matches.length > shown.length ? ` and ${matches.length - shown.length} more` : "";
  return new HypoError("run_ambiguous", `${matches.length} runs begin with ${name}: ${shown.join(", ")}${more}.`, {
    hint: "Give more of the id.",
  });
}
