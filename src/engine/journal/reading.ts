import { join } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import type { Fact, JournalRecord } from "../../domain/events.ts";
import { Lineage } from "./lineage.ts";
import { scanJournal, streamFacts, type TornTail } from "./scan.ts";

export const JOURNAL_FILE = "journal.jsonl";

/** A journal as it was when it was read, without its lock. */
export interface JournalReading {
  heads: ReadonlyMap<string, number>;
  /** True where a head's ancestry is all facts up to it. */
  isUnforked: boolean;
  /** Length of what was read; the unfinished line of a crash, or of a write under way, is left out. */
  bytes: number;
  torn: TornTail | undefined;
  /** Facts on the ancestry of a branch's head, oldest first. Throws `not_found` for an unknown branch. */
  ancestry(branch: string): AsyncIterable<Fact>;
  /** Facts of all branches, in the order they were recorded. */
  allFacts(): AsyncIterable<Fact>;
}

/**
 * Reads a journal that another process may be writing: no lock, no repair. Every record goes to `onRecord` once.
 *
 * @throws HypoError `run_damaged` naming line and byte.
 */
export async function readJournal(folder: string, onRecord?: (record: JournalRecord) => void): Promise<JournalReading> {
  const path = join(folder, JOURNAL_FILE);
  const lineage = new Lineage();
  const { bytes, torn } = await scanJournal(path, lineage, onRecord);
  return {
    heads: lineage.heads,
    isUnforked: lineage.isUnforked,
    bytes,
    torn,
    ancestry: (branch) => {
      const head = headOf(lineage, branch);
      return streamFacts(path, () => bytes, head, lineage.ancestorsOf(head));
    },
    allFacts: () =>
      streamFacts(
        path,
        () => bytes,
        lineage.last,
        () => true,
      ),
  };
}

/** Where a branch's head is. Throws `not_found`, naming the branches there are. */
export function headOf(lineage: Lineage, branch: string): number {
  const head = lineage.heads.get(branch);
  if (head !== undefined) return head;
  throw new HypoError("not_found", `The run has no branch "${branch}".`, { hint: `It has: ${[...lineage.heads.keys()].join(", ")}.` });
}
