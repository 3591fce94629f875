import { randomBytes } from "node:crypto";
import { link, mkdir, open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { HypoError, messageOf, systemCodeOf } from "../domain/errors.ts";

/** Only the person who runs hypo may read what it writes. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Makes a folder and those above it, for the person alone. Throws `storage_failed`. */
export async function makeFolder(path: string): Promise<void> {
  await makeWithParents(path).catch((error: unknown) => {
    throw storageError(path, error);
  });
}

/**
 * Node's own recursive mkdir goes round without end below a folder that is there and takes no others (/proc), and says
 * ENOENT on a read-only disk.
 */
async function makeWithParents(path: string): Promise<void> {
  const problem = await tryToMake(path);
  if (problem === undefined) return;
  const above = dirname(path);
  if (systemCodeOf(problem) !== "ENOENT" || above === path) throw problem;
  // Where it is there by now, another has just made it, or it takes no folders: the second try tells.
  if (!(await isFolder(above))) await makeWithParents(above);
  const stillThere = await tryToMake(path);
  if (stillThere !== undefined) throw stillThere;
}

/** Resolves to why the folder could not be made; undefined where it is there now. */
async function tryToMake(path: string): Promise<unknown> {
  return mkdir(path, { mode: PRIVATE_FOLDER }).then(
    () => undefined,
    async (error: unknown) => ((await isFolder(path)) ? undefined : error),
  );
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

/**
 * Writes a whole file so that a reader sees the old content or the new, never a part, and so that the new content
 * survives a power cut: temporary file, fsync, rename, fsync of the folder. Makes the folders above it.
 *
 * @throws HypoError `storage_failed` where the disk is full, read-only or not ours.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const file = await openNew(temporary);
    try {
      await file.writeFile(data);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await sync(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw storageError(path, error);
  }
}

/**
 * The same for a file that is never replaced, also where two processes write it at once.
 *
 * @returns false where it was there already and stays as it is
 * @throws HypoError `storage_failed` where the disk is full, read-only or not ours.
 */
export async function writeFileOnce(path: string, data: string | Uint8Array): Promise<boolean> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.draft`;
  await writeFileAtomic(draft, data);
  try {
    await link(draft, path);
    await sync(dirname(path));
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return false;
    throw storageError(path, error);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/**
 * Writes a whole file without waiting for the disk, and leaves it to `syncFiles` to make it last. One that is there is
 * replaced and never cut short. Makes the folders above it.
 *
 * @throws HypoError `storage_failed` where the disk is full, read-only or not ours.
 */
export async function writeFileUnsynced(path: string, data: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const file = await openNew(temporary);
    try {
      await file.writeFile(data);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw storageError(path, error);
  }
}

/**
 * Makes files below a folder, and their being there, survive a power cut: together, since each alone waits for the disk.
 *
 * @param paths of the files from `root` on, with `/` between folders
 * @throws HypoError `storage_failed`
 */
export async function syncFiles(root: string, paths: readonly string[]): Promise<void> {
  const folders = new Set(paths.flatMap((path) => foldersAbove(path)));
  const rest = [...folders, ...paths].map((path) => join(root, path));
  const syncRest = async (): Promise<void> => {
    for (let path = rest.pop(); path !== undefined; path = rest.pop()) await syncOne(path);
  };
  await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, syncRest));
}

const SYNCED_AT_ONCE = 4;

/** From the nearest to `.`, which stands for where they all begin. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [folder] : [folder, ...foldersAbove(folder)];
}

async function syncOne(path: string): Promise<void> {
  await sync(path).catch((error: unknown) => {
    throw storageError(path, error);
  });
}

/** Most folders are there: they are made where opening the file says otherwise. */
async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", PRIVATE_FILE);
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT") throw error;
    await makeFolder(dirname(path));
    return open(path, "wx", PRIVATE_FILE);
  }
}

/** Makes what a file holds, or which files a folder holds, survive a power cut. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A system error while writing, as an error that says what to do. */
export function storageError(path: string, error: unknown): HypoError {
  if (error instanceof HypoError) return error;
  const [what, mend] = REASONS[systemCodeOf(error) ?? ""] ?? [messageOf(error), LOOK];
  const hint = path.split(sep).includes(STATE_FOLDER) ? mend.inProject : mend.elsewhere;
  return new HypoError("storage_failed", `Cannot write ${path}: ${what}.`, { hint, cause: error });
}

/** What a project's files lie in: another project can be chosen, and runs go on. */
const STATE_FOLDER = ".hypo";

/** What helps, by where the file was to be. */
interface Mend {
  inProject: string;
  elsewhere: string;
}

const GO_ON = "go on: a run with `hypo resume`, all else with the same command";
const LOOK = {
  inProject: `Look at the folder and its file system, then ${GO_ON}.`,
  elsewhere: "Look at the folder and its file system.",
};
const FULL = ["the disk is full", { inProject: `Free some space, then ${GO_ON}.`, elsewhere: "Free some space." }] as const;
const DENIED = [
  "permission was denied",
  {
    inProject: "Make the folder writable for you, or choose another with `-C <dir>`.",
    elsewhere: "Make the folder writable for you, or choose another place.",
  },
] as const;
const WRITABLE = { inProject: "Choose a writable project folder with `-C <dir>`.", elsewhere: "Choose a place that you may write to." };
const IN_THE_WAY = ["a file is where a folder should be", inBoth("Move that file away, or choose another place.")] as const;

/** What system errors mean to a person, and what helps. */
const REASONS: Readonly<Record<string, readonly [what: string, mend: Mend]>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  SQLITE_FULL: FULL,
  EROFS: ["the file system is read-only", WRITABLE],
  EACCES: DENIED,
  EPERM: DENIED,
  EISDIR: ["that is a folder", inBoth("Name a file in it.")],
  ELOOP: ["its links lead round in a circle", inBoth("Mend or remove the links, or choose another place.")],
  ENOTDIR: IN_THE_WAY,
  EEXIST: IN_THE_WAY,
  ENOENT: ["nothing can be made there", WRITABLE],
};

function inBoth(hint: string): Mend {
  return { inProject: hint, elsewhere: hint };
}
