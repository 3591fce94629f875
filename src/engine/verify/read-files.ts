import { readFile } from "node:fs/promises";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";

/** A file's bytes; undefined where there is none. Throws `storage_failed` where it cannot be read. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCodeOf(error) ?? "")) return undefined;
    throw new HypoError("storage_failed", `Cannot read ${path}: ${messageOf(error)}.`, {
      hint: "Look at the file's permissions.",
      cause: error,
    });
  }
}

/** Why a file is not what it should be; undefined where it is, byte for byte. */
export async function compareFile(path: string, expected: string): Promise<string | undefined> {
  const bytes = await readIfThere(path);
  if (bytes === undefined) return "The file is missing.";
  const wanted = Buffer.from(expected);
  if (bytes.equals(wanted)) return undefined;
  const at = bytes.findIndex((byte, index) => byte !== wanted[index]);
  return `It differs from what was recorded, at byte ${at === -1 ? bytes.length : at}.`;
}
