import { messageOf, systemCodeOf } from "../../domain/errors.ts";
import { NoRegularFile, readRegularFile } from "../../files/regular-file.ts";

/** A file's bytes, or why there are none. */
export type FoundFile = { bytes: Buffer; problem?: undefined } | { bytes?: undefined; problem: string; isMissing: boolean };

/**
 * Reads a file that should be there. Whatever stands in its place, or keeps it from being read, is what is found and no
 * failure, and a pipe is not waited for.
 */
export async function readStored(path: string): Promise<FoundFile> {
  try {
    return { bytes: await readRegularFile(path) };
  } catch (error) {
    if (error instanceof NoRegularFile) return { problem: "Something that is no file stands in its place.", isMissing: false };
    const isMissing = ["ENOENT", "ENOTDIR"].includes(systemCodeOf(error) ?? "");
    return { problem: isMissing ? "The file is missing." : `It cannot be read: ${messageOf(error)}.`, isMissing };
  }
}

/** Why a file is not what it should be; undefined where it is, byte for byte. */
export async function compareFile(path: string, expected: string): Promise<string | undefined> {
  const { bytes, problem } = await readStored(path);
  if (bytes === undefined) return problem;
  const wanted = Buffer.from(expected);
  if (bytes.equals(wanted)) return undefined;
  const at = bytes.findIndex((byte, index) => byte !== wanted[index]);
  return `It differs from what was recorded, at byte ${at === -1 ? bytes.length : at}.`;
}
