import { readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { GITIGNORE, isFolder, makeProject, type Project } from "./project.ts";

/** Folders that a command may make before it puts anything into them. */
const FOLDERS = new Set(["runs", "batches", "memory", "sources", "experiments"]);
/** Made of the files, and made again when asked for. */
const INDEX = /^(?:index|sources)\.sqlite(?:-wal|-shm)?$/;

/**
 * Makes a project where there is none yet, and uses it. One that was made for this and that nothing was put into, as
 * where a command is refused, is taken away again.
 *
 * @throws HypoError `storage_failed` where it cannot be made, and what `use` throws
 */
export async function withProject<T>(project: Project, use: (project: Project) => Promise<T>): Promise<T> {
  const isNew = !isFolder(project.state);
  await makeProject(project);
  try {
    return await use(project);
  } finally {
    if (isNew) await removeIfUnused(project);
  }
}

/** Another process may have begun to use it: what holds anything, or is more than a new project has, stays. */
async function removeIfUnused({ state }: Project): Promise<void> {
  const names = await readdir(state).catch(() => []);
  for (const name of names) if (!(await isUnused(state, name))) return;
  try {
    for (const name of names) {
      if (FOLDERS.has(name)) await removeEmptyFolders(join(state, name));
      else await rm(join(state, name), { force: true });
    }
    await rmdir(state);
  } catch {
    // Something was put into it meanwhile.
  }
}

async function isUnused(state: string, name: string): Promise<boolean> {
  if (INDEX.test(name)) return true;
  if (name === ".gitignore") return (await readFile(join(state, name), "utf8").catch(() => "")) === GITIGNORE;
  return FOLDERS.has(name) && !(await holdsFiles(join(state, name)));
}

async function holdsFiles(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => undefined);
  return entries === undefined || entries.some((entry) => !entry.isDirectory());
}

async function removeEmptyFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await removeEmptyFolders(join(folder, name));
  await rmdir(folder);
}
