import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder, writeFileAtomic } from "../../files/atomic.ts";
import { isThere } from "../../files/is-there.ts";

/** A folder that hypo works in. */
export interface Project {
  /** The folder that holds `.hypo`. */
  root: string;
  /** `.hypo` itself. */
  state: string;
}

/** Memory, what is known of sources, and experiments are made to be committed; the rest is not. */
export const GITIGNORE = `# Written by hypo: what is private, large or can be made again stays out of git.
/runs/
/batches/
/index.sqlite*
/sources.sqlite*
/sources/*/*/*
!/sources/*/*/metadata.json
*.tmp
`;

/** The project that a folder belongs to: the nearest `.hypo` from it upwards. */
export async function findProject(cwd: string): Promise<Project | undefined> {
  const state = join(cwd, ".hypo");
  if (isFolder(state)) return { root: cwd, state };
  const above = dirname(cwd);
  return above === cwd ? undefined : findProject(above);
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The project of a folder; where there is none here or above, the one that would be made here. Makes nothing. */
export async function chooseProject(cwd: string): Promise<Project> {
  return (await findProject(cwd)) ?? { root: cwd, state: join(cwd, ".hypo") };
}

/**
 * Makes what is not there yet of a project's folder.
 *
 * @throws HypoError `storage_failed` where it cannot be made.
 */
export async function makeProject(project: Project): Promise<void> {
  await makeFolder(project.state);
  const ignore = join(project.state, ".gitignore");
  // A person may have changed it: theirs stays.
  if (!(await isThere(ignore))) await writeFileAtomic(ignore, GITIGNORE);
}
