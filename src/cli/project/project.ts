import { lstat, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, writeFileAtomic } from "../../files/atomic.ts";

/** A folder that hypo works in. */
export interface Project {
  /** The folder that holds `.hypo`. */
  root: string;
  /** `.hypo` itself. */
  state: string;
}

/** Memory, what is known of sources, and experiments are made to be committed; the rest is not. */
const GITIGNORE = `# Written by hypo: what is private, large or can be made again stays out of git.
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
  const found = await stat(state).catch(() => undefined);
  if (found?.isDirectory() === true) return { root: cwd, state };
  const above = dirname(cwd);
  return above === cwd ? undefined : findProject(above);
}

/**
 * The project of a folder, made there if there is none above it.
 *
 * @throws HypoError `storage_failed` where it cannot be made.
 */
export async function openProject(cwd: string): Promise<Project> {
  const project = (await findProject(cwd)) ?? { root: cwd, state: join(cwd, ".hypo") };
  await makeFolder(project.state);
  const ignore = join(project.state, ".gitignore");
  // A person may have changed it: theirs stays.
  const exists = await lstat(ignore).then(
    () => true,
    () => false,
  );
  if (!exists) await writeFileAtomic(ignore, GITIGNORE);
  return project;
}
