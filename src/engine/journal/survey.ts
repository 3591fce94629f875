import { join } from "node:path";
import type { JournalRecord } from "../../domain/events.ts";
import { isFact } from "../../domain/records.ts";
import { readBlocks } from "./blocks.ts";
import { decodeLine, endOfLine } from "./line.ts";
import { Lineage } from "./lineage.ts";
import { JOURNAL_FILE } from "./reading.ts";
import { checkAnyVersion } from "./old-records.ts";

/** A line of a journal that is not what was written there. */
interface BadLine {
  line: number;
  byte: number;
  problem: string;
}

/** What a journal holds, damage included. */
export interface JournalSurvey {
  bad: BadLine[];
  /** Where each branch's head is, as far as the good lines tell. */
  heads: ReadonlyMap<string, number>;
  /** Which facts lie on the ancestry of a head; all up to it where lines are missing. */
  ancestorsOf(head: number): (seq: number) => boolean;
}

/**
 * Reads a whole journal past any damage: every bad line is listed and every good record handed on. Behind the first bad
 * line only check sums are checked, since the ancestry has a gap there.
 *
 * @throws HypoError `run_damaged` where the file cannot be read at all.
 */
export async function surveyJournal(folder: string, onRecord: (record: JournalRecord) => void): Promise<JournalSurvey> {
  const lineage = new Lineage();
  const heads = new Map<string, number>();
  const bad: BadLine[] = [];
  let line = 0;
  for await (const block of readBlocks(join(folder, JOURNAL_FILE), 0)) {
    for (let start = 0; start < block.bytes.length;) {
      const byte = block.at + start;
      line += 1;
      const end = endOfLine(block.bytes, start);
      const read = readLine(block.bytes, start, end);
      const problem = "problem" in read ? read.problem : bad.length === 0 ? place(lineage, read.record) : undefined;
      if (problem !== undefined) bad.push({ line, byte, problem });
      if ("record" in read && problem === undefined) {
        heads.set(read.record.branch, isFact(read.record) ? read.record.seq : read.record.head);
        onRecord(read.record);
      }
      start = end === -1 ? block.bytes.length : end + 1;
    }
  }
  if (line === 0) bad.push({ line: 1, byte: 0, problem: "it is empty, and a journal is made with a first record" });
  return { bad, heads, ancestorsOf: (head) => (bad.length === 0 ? lineage.ancestorsOf(head) : (seq) => seq <= head) };
}

function readLine(bytes: Buffer, start: number, end: number): { record: JournalRecord } | { problem: string } {
  if (end === -1) return { problem: "it is not terminated" };
  const decoded = decodeLine(bytes, start, end);
  if (!decoded.ok) return { problem: decoded.problem };
  const checked = checkAnyVersion(decoded.value);
  return checked.ok ? { record: checked.record } : { problem: checked.problem };
}

function place(lineage: Lineage, record: JournalRecord): string | undefined {
  return isFact(record) ? lineage.addFact(record) : lineage.addMove(record);
}
