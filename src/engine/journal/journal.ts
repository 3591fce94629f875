import { existsSync } from "node:fs";
import { join } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import type { BranchMove, Fact, JournalRecord, RunEvent } from "../../domain/events.ts";
import { JOURNAL_VERSION } from "../../domain/records.ts";
import { MAIN_BRANCH } from "../../domain/ids.ts";
import type { Clock } from "../../domain/ports.ts";
import { makeFolder, writeFileAtomic } from "../../files/atomic.ts";
import { checkEvent } from "./check-event.ts";
import type { CrashAt } from "./crash-points.ts";
import { GroupCommit } from "./group-commit.ts";
import { encodeRecord } from "./line.ts";
import { Lineage } from "./lineage.ts";
import { type Lock, takeLock } from "./lock.ts";
import { headOf, JOURNAL_FILE, type JournalPlace, JournalReading } from "./reading.ts";
import { repairTail } from "./repair.ts";
import { scanJournal, streamFacts } from "./scan.ts";

const TORN_FILE = "journal.torn";

export interface JournalOptions {
  clock: Clock;
  /** Told what was put right while opening: a torn end, a stale lock. */
  say?: ((line: string) => void) | undefined;
  /** Given every record once, in order, while the journal is opened. The journal keeps none of them. */
  onRecord?: ((record: JournalRecord) => void) | undefined;
  /** Called once when the disk refuses a write; every promise of durability from then on rejects with the error. */
  onBroken?: ((error: HypoError) => void) | undefined;
  crashAt?: CrashAt | undefined;
}

interface Appended {
  facts: Fact[];
  durable: Promise<void>;
}

/** The append-only journal of a run: facts and branch moves, one JSON object a line (docs/journal-format.md). */
export class Journal {
  readonly #path: string;
  readonly #lineage: Lineage;
  readonly #file: GroupCommit;
  readonly #lock: Lock;
  readonly #options: JournalOptions;
  #closed: Promise<void> | undefined;

  private constructor(path: string, lineage: Lineage, file: GroupCommit, lock: Lock, options: JournalOptions) {
    this.#path = path;
    this.#lineage = lineage;
    this.#file = file;
    this.#lock = lock;
    this.#options = options;
  }

  /**
   * Makes the journal of a new run, with `main` at 0, and holds its lock. A journal never exists without that record.
   *
   * @throws HypoError `refused` where the folder has a journal; `run_locked`; `storage_failed`.
   */
  static async create(folder: string, options: JournalOptions): Promise<Journal> {
    await makeFolder(folder);
    return withLock(folder, options, async (lock) => {
      const path = join(folder, JOURNAL_FILE);
      if (existsSync(path)) throw new HypoError("refused", `${path} exists already.`, { hint: "Go on with it by `hypo resume`." });
      const move = { v: JOURNAL_VERSION, branch: MAIN_BRANCH, head: 0, reason: "run created", at: options.clock.now().toISOString() };
      options.crashAt?.("journal.before_create");
      await writeFileAtomic(path, encodeRecord(move).line);
      options.crashAt?.("journal.created");
      return Journal.#openLocked(folder, lock, options);
    });
  }

  /**
   * Opens a run's journal to write: takes the lock, moves a torn end to `journal.torn`, and hands every record to
   * `onRecord`.
   *
   * @throws HypoError `run_locked`; `run_damaged` naming line and byte; `storage_failed`.
   */
  static async open(folder: string, options: JournalOptions): Promise<Journal> {
    return withLock(folder, options, (lock) => Journal.#openLocked(folder, lock, options));
  }

  /** Reads a journal that another process may be writing: no lock, no repair; `readOn` follows it. Throws `run_damaged`. */
  static async read(folder: string, onRecord?: (record: JournalRecord) => void): Promise<JournalReading> {
    const reading = new JournalReading(folder);
    await reading.readOn(onRecord);
    return reading;
  }

  get heads(): ReadonlyMap<string, number> {
    return this.#lineage.heads;
  }

  /** True while a head's ancestry is all facts up to it, so that what `onRecord` was given need not be read again. */
  get isUnforked(): boolean {
    return this.#lineage.isUnforked;
  }

  /** The last fact of a branch, 0 for none. Throws `not_found` for an unknown branch. */
  head(branch: string): number {
    return headOf(this.#lineage, branch);
  }

  /**
   * Places events after `expectedHead`. Their numbers are given at once; `durable` resolves when they, and all
   * before them, are on the disk. The facts are what a later reader will see, detached from the events.
   *
   * @throws HypoError `journal_conflict` if the head has moved; `storage_failed` if the disk refused something
   *   before; `internal` for an event that does not fit its schema. Nothing is placed then.
   */
  append(branch: string, expectedHead: number, events: readonly RunEvent[]): Appended {
    this.#refuseIfBroken();
    const head = this.head(branch);
    if (head !== expectedHead) throw conflict(`The head of "${branch}" is at ${head}, expected ${expectedHead}.`);
    const checked = events.map(checkEvent);
    const at = this.#now();
    const first = this.#lineage.last + 1;
    const encoded = checked.map((event, index) =>
      encodeRecord({
        v: JOURNAL_VERSION,
        seq: first + index,
        parent: index === 0 ? head : first + index - 1,
        branch,
        at,
        ...event,
      }),
    );
    const facts = encoded.map(({ text }) => JSON.parse(text) as Fact);
    for (const fact of facts) refuseIfProblem(this.#lineage.addFact(fact));
    return { facts, durable: facts.length === 0 ? this.flush() : this.#file.append(encoded.map(({ line }) => line).join("")) };
  }

  /**
   * Creates a branch (`from` undefined) or moves its head from `from`; no record is lost by it.
   *
   * @throws HypoError `journal_conflict` if the branch exists, or its head is not `from`, or there is no fact `head`;
   *   `storage_failed`.
   */
  moveBranch(branch: string, head: number, from: number | undefined, reason: string): { move: BranchMove; durable: Promise<void> } {
    this.#refuseIfBroken();
    const move: BranchMove = { v: JOURNAL_VERSION, branch, head, ...(from === undefined ? {} : { from }), reason, at: this.#now() };
    refuseIfProblem(this.#lineage.addMove(move));
    return { move, durable: this.#file.append(encodeRecord(move).line) };
  }

  /** Where the journal ends once all that was appended is durable. */
  get place(): JournalPlace {
    const moves = [...this.#lineage.moves.values()].reduce((sum, count) => sum + count, 0);
    return { bytes: this.#file.bytes, lines: this.#lineage.last + moves, lineage: this.#lineage };
  }

  /** How often the head of a branch was put somewhere, its creation included. */
  moves(branch: string): number {
    return this.#lineage.moves.get(branch) ?? 0;
  }

  /** Facts on the ancestry of a branch's head as it is now, oldest first, read from the file. */
  ancestry(branch: string): AsyncIterable<Fact> {
    const head = this.head(branch);
    const isAncestor = this.#lineage.ancestorsOf(head);
    return this.#stream(head, isAncestor);
  }

  /** Facts of all branches up to now, in the order they were recorded, read from the file. */
  allFacts(): AsyncIterable<Fact> {
    return this.#stream(this.#lineage.last, () => true);
  }

  /** Resolves when everything appended so far is on the disk. Throws `storage_failed`. */
  flush(): Promise<void> {
    return this.#file.flush();
  }

  /** Writes what is pending and releases the lock. Does not throw for a disk failure that was reported before. */
  close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async #closeOnce(): Promise<void> {
    try {
      await this.#file.close();
      this.#options.crashAt?.("journal.before_release");
    } finally {
      await this.#lock.release();
    }
  }

  #stream(head: number, isWanted: (seq: number) => boolean): AsyncIterable<Fact> {
    const durableSize = () => this.flush().then(() => this.#file.bytes);
    return streamFacts(this.#path, durableSize, head, isWanted);
  }

  #refuseIfBroken(): void {
    if (this.#file.broken) throw this.#file.broken;
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }

  static async #openLocked(folder: string, lock: Lock, options: JournalOptions): Promise<Journal> {
    const path = join(folder, JOURNAL_FILE);
    const lineage = new Lineage();
    const { bytes, torn } = await scanJournal(path, lineage, options.onRecord);
    if (torn) {
      await repairTail(path, join(folder, TORN_FILE), torn, options.crashAt);
      options.say?.(`Moved the unfinished last line of the journal (line ${torn.line}, ${torn.bytes} bytes: ${torn.why}) to ${TORN_FILE}.`);
    }
    return new Journal(path, lineage, await GroupCommit.open(path, bytes, options), lock, options);
  }
}

async function withLock(folder: string, options: JournalOptions, use: (lock: Lock) => Promise<Journal>): Promise<Journal> {
  const lock = await takeLock(folder, options);
  try {
    return await use(lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** For a place in the journal that someone else has taken meanwhile. */
function refuseIfProblem(problem: string | undefined): void {
  if (problem !== undefined) throw conflict(`The journal does not take this: ${problem}.`);
}

function conflict(message: string): HypoError {
  return new HypoError("journal_conflict", message, { hint: "Read the branch's head again and decide anew." });
}
