import { readlink, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { HypoError, systemCodeOf } from "../domain/errors.ts";
import { storageError, writeFileAtomic } from "./atomic.ts";

/**
 * Writes a file that a person named: behind a link where it is one, whole or not at all where it is a file, and into
 * whatever else is there (a device, a pipe) as it is.
 *
 * @throws HypoError `storage_failed`
 */
export async function writeNamedOutput(path: string, data: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new HypoError("storage_failed", `${path} is a folder.`, { hint: "Name a file in it." });
  if (found === undefined || found.isFile()) {
    await writeFileAtomic(await findPlaceToWrite(path), data);
    return;
  }
  await writeFile(path, data).catch((error: unknown) => {
    throw storageError(path, error);
  });
}

/** True where a path leads to a device or a pipe: what is written there comes after what was, and takes nothing back. */
export async function isPassedOn(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/**
 * The place that is written where a person names a path: what a link leads to, also where no file is there yet. That is
 * what a shell's `>` does; the link stays one.
 *
 * @throws HypoError `storage_failed` for links in a circle, or into a folder that is not there: it may be one of a disk
 *   that is not mounted, and is not made
 */
export async function findPlaceToWrite(path: string): Promise<string> {
  const real = await realpath(path).catch((error: unknown) => {
    if (systemCodeOf(error) === "ELOOP") throw storageError(path, error);
  });
  if (real !== undefined) return real;
  const link = await readlink(path).catch(() => undefined);
  if (link === undefined) return path;
  const target = resolve(await realpath(dirname(path)), link);
  if (await isFolder(dirname(target))) return findPlaceToWrite(target);
  throw new HypoError("storage_failed", `${path} is a link to ${target}, and the folder of that is not there.`, {
    hint: "Make that folder, or name another file.",
  });
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}
