import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isExperimentId } from "../../domain/ids.ts";
import type { Completes } from "../definition.ts";
import { findProject, type Project } from "../project/project.ts";
import { findRun, listRuns } from "../runs/find-run.ts";
import type { Candidate } from "./complete.ts";

/** Kinds that are in the project's folder; the shell itself knows files and folders. */
type Kept = Exclude<Completes, "file" | "folder">;

/** So much of a source's name tells it from others, and is what commands take. */
const SHORT_SOURCE = 12;

/**
 * Ids that begin like the word under the cursor. Only names of files are read, so that it is there at once; what cannot
 * be read gives none. A name that is no id is not offered: bash puts what it is given into the line as it is, and would run
 * a command in it.
 *
 * @param run what names the run whose agents are meant
 */
export async function lookUp(completes: Kept, current: string, run: string | undefined, cwd: string): Promise<Candidate[]> {
  const project = await findProject(cwd);
  const values = await valuesOf(completes, current, run, project).catch(() => []);
  return values.filter(({ value }) => value.startsWith(current));
}

async function valuesOf(completes: Kept, current: string, run: string | undefined, project: Project | undefined): Promise<Candidate[]> {
  if (completes === "key") return configKeys();
  if (!project) return [];
  switch (completes) {
    case "run":
      return runIds(project);
    case "agent":
      return agentIds(project, run);
    case "experiment":
      return named((await namesIn(project.state, "experiments")).filter(isExperimentId), "experiment");
    case "source":
      return sourceIds(project, current);
    case "note":
      return noteIds(project);
  }
}

async function configKeys(): Promise<Candidate[]> {
  const { CONFIG_KEYS } = await import("../config/keys.ts");
  return CONFIG_KEYS.map(({ name, summary }) => ({ value: name, summary }));
}

async function runIds(project: Project): Promise<Candidate[]> {
  const runs = await listRuns(project);
  return runs.length === 0
    ? []
    : [
        { value: "last", summary: "the newest run" },
        ...named(
          runs.map(({ id }) => id),
          "run",
        ),
      ];
}

/** Specifications stand in `agents/`, those of agents of other courses one folder below. */
async function agentIds(project: Project, run: string | undefined): Promise<Candidate[]> {
  const { folder } = await findRun(project, run ?? "last");
  const names = await readdir(join(folder, "agents"), { recursive: true });
  const ids = names.flatMap((name) => name.match(/(?:^|\/)(root(?:\.\d+)*)\.md$/)?.[1] ?? []);
  return named([...new Set(["root", ...ids])].sort(), "agent");
}

async function sourceIds(project: Project, current: string): Promise<Candidate[]> {
  const shelves = (await namesIn(project.state, "sources")).filter((name) => name.startsWith(current.slice(0, 2)));
  const ids = await Promise.all(shelves.map((shelf) => namesIn(project.state, "sources", shelf)));
  const whole = ids.flat().filter((name) => /^[0-9a-f]{64}$/.test(name));
  return named(current.length > SHORT_SOURCE ? whole : whole.map((id) => id.slice(0, SHORT_SOURCE)), "source");
}

/** A note's file is named after its title and its id. */
async function noteIds(project: Project): Promise<Candidate[]> {
  const names = await readdir(join(project.state, "memory"), { recursive: true });
  return names.flatMap((name) => {
    const [, title, id] = name.match(/([^/]*)-([a-z]-[0-9a-f]{10})\.md$/) ?? [];
    return id === undefined ? [] : [{ value: id, summary: title ?? "" }];
  });
}

function named(values: readonly string[], summary: string): Candidate[] {
  return values.map((value) => ({ value, summary }));
}

async function namesIn(...path: string[]): Promise<string[]> {
  return readdir(join(...path)).catch(() => []);
}
