import type { Fact, JournalRecord } from "../../domain/events.ts";
import { isFact } from "../../domain/records.ts";
import { JournalReading } from "../journal/reading.ts";
import type { Ledger } from "../state/ledger.ts";
import type { RunState } from "../state/run-state.ts";
import { RunProjection } from "./run-projection.ts";
import { readSnapshot, writeSnapshot } from "./snapshot.ts";

/** Folding so many facts takes a moment; a snapshot then saves the next reader from it. */
const MANY_FACTS = 20_000;

/** A run as its journal tells it, read without the lock; another process may be writing it. */
export class RunReader {
  private readonly folder: string;
  private readonly run: string;
  private readonly journal: JournalReading;
  private readonly projection: RunProjection;
  private fresh = 0;

  private constructor(folder: string, run: string, journal: JournalReading, projection: RunProjection) {
    this.folder = folder;
    this.run = run;
    this.journal = journal;
    this.projection = projection;
  }

  /** Reads all there is, from the run's snapshot on where one fits. Throws `run_damaged` naming line and byte. */
  static async open(folder: string, run: string): Promise<RunReader> {
    const snapshot = await readSnapshot(folder, run);
    const journal = new JournalReading(folder, snapshot?.place);
    const reader = new RunReader(folder, run, journal, snapshot?.projection ?? new RunProjection());
    await reader.readOn();
    return reader;
  }

  get heads(): ReadonlyMap<string, number> {
    return this.journal.heads;
  }

  get ledger(): Ledger {
    return this.projection.ledger;
  }

  /** How the facts hang together. */
  get lineage() {
    return this.journal.place.lineage;
  }

  /** Reads what has been appended since; gives every record to `onRecord` once. */
  async readOn(onRecord?: (record: JournalRecord) => void): Promise<void> {
    await this.journal.readOn((record) => {
      this.projection.apply(record);
      if (isFact(record)) this.fresh += 1;
      onRecord?.(record);
    });
  }

  /** The state of a branch at its head; kept up by `readOn`. Throws `not_found` for an unknown branch. */
  state(branch: string): Promise<RunState> {
    return this.projection.stateOf(branch, this.journal);
  }

  /** Facts on the ancestry of a branch's head, oldest first. Throws `not_found` for an unknown branch. */
  ancestry(branch: string): AsyncIterable<Fact> {
    return this.journal.ancestry(branch);
  }

  /** Keeps a snapshot for the next reader if this one had much to fold. One that cannot be written is not missed. */
  async keepSnapshot(): Promise<void> {
    if (this.fresh < MANY_FACTS) return;
    await writeSnapshot(this.folder, this.run, this.journal.place, this.projection).catch(() => undefined);
    this.fresh = 0;
  }
}
