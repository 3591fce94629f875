import { join } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import type { Fact, JournalRecord } from "../../domain/events.ts";
import { Lineage } from "./lineage.ts";
import { BEGINNING, type ScanEnd, scanJournal, streamFacts, type TornTail } from "./scan.ts";

export const JOURNAL_FILE = "journal.jsonl";

/** A place between two records of a journal, and how the facts before it hang together. */
export interface JournalPlace {
  bytes: number;
  lines: number;
  lineage: Lineage;
}

/** A journal that another process may be writing, as far as it has been read: no lock, no repair. */
export class JournalReading {
  readonly folder: string;
  readonly #path: string;
  readonly #lineage: Lineage;
  #end: ScanEnd;

  /** @param from where an earlier reading of the same journal ended */
  constructor(folder: string, from: JournalPlace = { bytes: 0, lines: 0, lineage: new Lineage() }) {
    this.folder = folder;
    this.#path = join(folder, JOURNAL_FILE);
    this.#lineage = from.lineage;
    this.#end = { ...BEGINNING, bytes: from.bytes, lines: from.lines };
  }

  /** Where this reading is: what another one may go on from. */
  get place(): JournalPlace {
    return { bytes: this.#end.bytes, lines: this.#end.lines, lineage: this.#lineage };
  }

  /** The last fact of a branch, 0 for none. Throws `not_found` for an unknown branch. */
  headOf(branch: string): number {
    return headOf(this.#lineage, branch);
  }

  get heads(): ReadonlyMap<string, number> {
    return this.#lineage.heads;
  }

  /** True while a head's ancestry is all facts up to it, so that what `onRecord` was given need not be read again. */
  get isUnforked(): boolean {
    return this.#lineage.isUnforked;
  }

  /** The unfinished last line of a crash, or of a write under way; it is not among what was read. */
  get torn(): TornTail | undefined {
    return this.#end.torn;
  }

  /**
   * Reads what has been appended since (at first: everything) and gives every record to `onRecord` once.
   *
   * @throws HypoError `run_damaged` naming line and byte.
   */
  async readOn(onRecord?: (record: JournalRecord) => void): Promise<void> {
    this.#end = await scanJournal(this.#path, this.#lineage, onRecord, this.#end);
  }

  /** Facts on the ancestry of a branch's head, oldest first. Throws `not_found` for an unknown branch. */
  ancestry(branch: string): AsyncIterable<Fact> {
    const head = this.headOf(branch);
    return this.#stream(head, this.#lineage.ancestorsOf(head));
  }

  /** Facts of all branches, in the order they were recorded. */
  allFacts(): AsyncIterable<Fact> {
    return this.#stream(this.#lineage.last, () => true);
  }

  #stream(head: number, isWanted: (seq: number) => boolean): AsyncIterable<Fact> {
    const { bytes } = this.#end;
    return streamFacts(this.#path, () => bytes, head, isWanted);
  }
}

/** Where a branch's head is. Throws `not_found`, naming the branches there are. */
export function headOf(lineage: Lineage, branch: string): number {
  const head = lineage.heads.get(branch);
  if (head !== undefined) return head;
  throw new HypoError("not_found", `The run has no branch "${branch}".`, { hint: `It has: ${[...lineage.heads.keys()].join(", ")}.` });
}
