import { type FileHandle, open } from "node:fs/promises";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";

const BLOCK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/** Some whole lines of a file, or its unterminated end. The bytes are good until the next block is asked for. */
export interface Block {
  bytes: Buffer;
  /** Where the block starts in the file. */
  at: number;
  /** True for the last block of what is read. */
  isLast: boolean;
}

/**
 * The bytes of a file from `from` up to `size` (all it has when reading starts, by default) in blocks of whole lines;
 * an unterminated end is a block of its own. Memory stays at a few blocks, or at the longest line if that is longer.
 *
 * @throws HypoError `run_damaged` where the file cannot be read.
 */
export async function* readBlocks(path: string, from: number, size?: number): AsyncGenerator<Block> {
  const file = await openForReading(path);
  try {
    const end = size ?? (await file.stat()).size;
    let buffer = Buffer.allocUnsafe(Math.max(1, Math.min(BLOCK_BYTES, end - from)));
    let at = from;
    let filled = 0;
    while (at + filled < end) {
      if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      const { bytesRead } = await file.read(buffer, filled, Math.min(buffer.length - filled, end - at - filled), at + filled);
      if (bytesRead === 0) throw new HypoError("run_damaged", `${path} became shorter while it was read.`, { hint: "Try again." });
      const fresh = filled;
      filled += bytesRead;
      const whole = buffer.subarray(fresh, filled).lastIndexOf(NEWLINE) + 1;
      if (whole === 0) continue;
      const lines = fresh + whole;
      yield { bytes: buffer.subarray(0, lines), at, isLast: at + lines === end };
      buffer.copyWithin(0, lines, filled);
      at += lines;
      filled -= lines;
    }
    if (filled > 0) yield { bytes: buffer.subarray(0, filled), at, isLast: true };
  } finally {
    await file.close();
  }
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (error) {
    const what = systemCodeOf(error) === "ENOENT" ? "it does not exist" : messageOf(error);
    throw new HypoError("run_damaged", `Cannot read ${path}: ${what}.`, {
      hint: "Restore the file from a backup, or start the question again with `hypo run`.",
      cause: error,
    });
  }
}
