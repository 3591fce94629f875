import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { systemCodeOf } from "../domain/errors.ts";
import { isThere } from "./is-there.ts";

/** What stands where a file should be is none: a pipe, a device, a socket, a folder, or a link that leads nowhere. */
export class NoRegularFile extends Error {
  constructor() {
    super("something that is no file stands in its place");
  }
}

/**
 * Reads a whole file. A pipe is not waited for, and a device not read.
 *
 * @throws NoRegularFile, or what the system says, such as ENOENT.
 */
export async function readRegularFile(path: string): Promise<Buffer> {
  const handle = await openAtOnce(path);
  try {
    if (!(await handle.stat()).isFile()) throw new NoRegularFile();
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function openAtOnce(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = systemCodeOf(error);
    // A socket, a link in a circle, and a link to what is not there.
    if (code === "ENXIO" || code === "ELOOP" || (code === "ENOENT" && (await isThere(path)))) throw new NoRegularFile();
    throw error;
  }
}
