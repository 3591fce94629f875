import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { HypoError, messageOf, systemCodeOf } from "../domain/errors.ts";

/** Only the person who runs hypo may read what it writes. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER }).catch(async (error: unknown) => {
    throw storageError(path, await whyNotMade(path, error));
  });
}

/** Making folders with all those above them says ENOENT on a read-only disk; making the first one alone says why. */
async function whyNotMade(path: string, error: unknown): Promise<unknown> {
  if (systemCodeOf(error) !== "ENOENT") return error;
  const why: unknown = await mkdir(path, { mode: PRIVATE_FOLDER }).then(
    () => error,
    (plain: unknown) => plain,
  );
  return systemCodeOf(why) === "ENOENT" && dirname(path) !== path ? whyNotMade(dirname(path), why) : why;
}

/**
 * Writes a whole file so that a reader sees the old content or the new, never a part, and so that the new content
 * survives a power cut: temporary file, fsync, rename, fsync of the folder. Makes the folders above it.
 *
 * @throws HypoError `storage_failed` where the disk is full, read-only or not ours.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  await makeFolder(dirname(path));
  try {
    const file = await open(temporary, "wx", PRIVATE_FILE);
    try {
      await file.writeFile(data);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw storageError(path, error);
  }
}

/** Makes a rename or a new file in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A system error while writing, as an error that says what to do. */
export function storageError(path: string, error: unknown): HypoError {
  if (error instanceof HypoError) return error;
  const code = systemCodeOf(error);
  const [what, hint] =
    code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL"
      ? ["the disk is full", "Free some space, then go on with `hypo resume`."]
      : code === "EROFS"
        ? ["the file system is read-only", "Choose a writable project folder with `-C <dir>`."]
        : code === "EACCES" || code === "EPERM"
          ? ["permission was denied", "Make the folder writable for you, or choose another with `-C <dir>`."]
          : [messageOf(error), "Look at the folder and its file system, then go on with `hypo resume`."];
  return new HypoError("storage_failed", `Cannot write ${path}: ${what}.`, { hint, cause: error });
}
