import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { PRIVATE_FILE, storageError, sync } from "../../files/atomic.ts";
import type { CrashAt } from "./crash-points.ts";
import type { TornTail } from "./scan.ts";

/**
 * Moves the torn end of a journal to the end of `tornPath` and cuts the journal back to its last good record. The
 * bytes are safe in their new place before they leave the old one; a crash in between keeps them twice.
 *
 * @throws HypoError `storage_failed`.
 */
export async function repairTail(path: string, tornPath: string, torn: TornTail, crashAt?: CrashAt): Promise<void> {
  try {
    crashAt?.("journal.before_repair");
    await saveTail(path, tornPath, torn);
    crashAt?.("journal.torn_saved");
    await cutAt(path, torn.byte);
    crashAt?.("journal.repaired");
  } catch (error) {
    throw storageError(path, error);
  }
}

async function saveTail(path: string, tornPath: string, torn: TornTail): Promise<void> {
  await using journal = await open(path, "r");
  await using saved = await open(tornPath, "a", PRIVATE_FILE);
  const { buffer, bytesRead } = await journal.read(Buffer.alloc(torn.bytes), 0, torn.bytes, torn.byte);
  await saved.appendFile(buffer.subarray(0, bytesRead));
  await saved.appendFile("\n");
  await saved.datasync();
  await sync(dirname(tornPath));
}

async function cutAt(path: string, byte: number): Promise<void> {
  await using journal = await open(path, "r+");
  await journal.truncate(byte);
  await journal.datasync();
}
