import { HypoError } from "../../domain/errors.ts";
import type { Fact, JournalRecord } from "../../domain/events.ts";
import { isFact } from "../../domain/records.ts";
import { type Block, readBlocks } from "./blocks.ts";
import { decodeLine, endOfLine, type DecodedLine } from "./line.ts";
import type { Lineage } from "./lineage.ts";
import { checkVersion, type CheckedRecord, type RawRecord } from "./versions.ts";

/** A last line that a crash left unfinished. */
export interface TornTail {
  /** Where it starts in the file. */
  byte: number;
  /** How many bytes it has. */
  bytes: number;
  line: number;
  why: string;
}

/** Where a reading ended, and the next may go on. */
export interface ScanEnd {
  /** Length of the good part of the file. */
  bytes: number;
  /** Lines in the good part. */
  lines: number;
  torn: TornTail | undefined;
}

const UNTERMINATED: DecodedLine = { ok: false, problem: "it is not terminated" };

type Visit = (record: JournalRecord, line: number, byte: number) => void;

export const BEGINNING: ScanEnd = { bytes: 0, lines: 0, torn: undefined };

/**
 * Reads a journal in order, from where an earlier reading ended, and fits each record into `lineage` before it is
 * handed to `onRecord`. The unfinished last line of a crash is reported; nothing is changed.
 *
 * @throws HypoError `run_damaged`, naming line and byte, for any other damage.
 */
export async function scanJournal(
  path: string,
  lineage: Lineage,
  onRecord?: (record: JournalRecord) => void,
  from: ScanEnd = BEGINNING,
): Promise<ScanEnd> {
  const scan = new Scan(path, from);
  for await (const block of readBlocks(path, from.bytes)) {
    await scan.readBlock(block, (record, line, byte) => {
      const problem = isFact(record) ? lineage.addFact(record) : lineage.addMove(record);
      if (problem !== undefined) throw damage(path, line, byte, problem);
      onRecord?.(record);
    });
  }
  if (scan.bytes === 0) throw damage(path, 1, 0, "it has no whole first record, and a journal is made with one");
  return { bytes: scan.bytes, lines: scan.lines, torn: scan.torn };
}

/**
 * The facts up to `head` that `isWanted` lets through, oldest first, from the first `size` bytes of a journal that
 * was scanned before. Reads no further than it has to. Throws as `scanJournal` does.
 */
export async function* streamFacts(
  path: string,
  size: () => number | Promise<number>,
  head: number,
  isWanted: (seq: number) => boolean,
): AsyncGenerator<Fact> {
  const end = await size();
  if (head === 0) return;
  const scan = new Scan(path, BEGINNING);
  for await (const block of readBlocks(path, 0, end)) {
    for (const fact of await wantedFacts(scan, block, isWanted)) {
      yield fact;
      if (fact.seq === head) return;
    }
    if (scan.torn) throw damage(path, scan.torn.line, scan.torn.byte, scan.torn.why);
  }
}

async function wantedFacts(scan: Scan, block: Block, isWanted: (seq: number) => boolean): Promise<Fact[]> {
  const facts: Fact[] = [];
  await scan.readBlock(block, (record) => {
    if (isFact(record) && isWanted(record.seq)) facts.push(record);
  });
  return facts;
}

/** Where a reading has come to. */
class Scan {
  readonly #path: string;
  /** A line that waits to be checked: lines can be decoded only once. */
  #older: DecodedLine | undefined;
  #checkOlder: ((value: RawRecord) => CheckedRecord) | undefined;
  bytes: number;
  lines: number;
  torn: TornTail | undefined;

  constructor(path: string, from: ScanEnd) {
    this.#path = path;
    this.bytes = from.bytes;
    this.lines = from.lines;
  }

  async readBlock(block: Block, visit: Visit): Promise<void> {
    if (this.#readOn(block, visit) === "older") {
      this.#checkOlder = (await import("./old-records.ts")).checkAnyVersion;
      this.#readOn(block, visit);
    }
  }

  /** Reads a block from where the last reading of it ended; stops at a record of an older version that cannot be checked yet. */
  #readOn(block: Block, visit: Visit): "older" | undefined {
    let start = this.bytes - block.at;
    while (start < block.bytes.length) {
      const byte = block.at + start;
      const line = this.lines + 1;
      const end = endOfLine(block.bytes, start);
      const isFinal = block.isLast && (end === -1 || end + 1 === block.bytes.length);
      const decoded = this.#older ?? (end === -1 ? UNTERMINATED : decodeLine(block.bytes, start, end));
      this.#older = undefined;
      if (!decoded.ok) {
        if (!isFinal) throw damage(this.#path, line, byte, decoded.problem);
        this.torn = { byte, bytes: block.bytes.length - start, line, why: decoded.problem };
        return undefined;
      }
      const checked = (this.#checkOlder ?? checkVersion)(decoded.value);
      if (checked === "older") {
        this.#older = decoded;
        return checked;
      }
      if (!checked.ok) throw damage(this.#path, line, byte, checked.problem, checked.hint);
      visit(checked.record, line, byte);
      start = end + 1;
      this.bytes = block.at + start;
      this.lines = line;
    }
    return undefined;
  }
}

function damage(path: string, line: number, byte: number, problem: string, hint?: string): HypoError {
  return new HypoError("run_damaged", `${path} is damaged at line ${line} (byte ${byte}): ${problem}.`, {
    hint: hint ?? "Nothing was changed. Restore the file from a backup, or start the question again with `hypo run`.",
  });
}
