import { realpath, stat, writeFile } from "node:fs/promises";
import { HypoError } from "../domain/errors.ts";
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
    await writeFileAtomic(await realpath(path).catch(() => path), data);
    return;
  }
  await writeFile(path, data).catch((error: unknown) => {
    throw storageError(path, error);
  });
}
