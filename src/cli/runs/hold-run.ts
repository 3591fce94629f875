import { dirname } from "node:path";
import { Journal } from "../../engine/journal/journal.ts";
import { runFolder, type RunFolder } from "../../engine/run-folder.ts";
import { systemClock } from "../../engine/system-clock.ts";
import { makeCrashAt } from "../crash-at.ts";
import { writeErr, type Io } from "../io.ts";
import type { RunPlace } from "./find-run.ts";

/** The paths of a run that was found. */
export function folderOf({ id, folder }: RunPlace): RunFolder {
  return runFolder(dirname(dirname(folder)), id);
}

/**
 * Holds a run that no process is at work on, for as long as something is done to its journal.
 *
 * @throws HypoError `run_locked`, `run_damaged`, and what `use` throws
 */
export async function withJournal<T>(place: RunPlace, io: Io, use: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = await Journal.open(place.folder, {
    clock: systemClock,
    say: (line) => writeErr(io, line),
    crashAt: makeCrashAt(io.env["HYPO_CRASH_AT"]),
  });
  try {
    return await use(journal);
  } finally {
    await journal.close();
  }
}
