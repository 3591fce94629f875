import { writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { HypoError } from "../../domain/errors.ts";
import { storageError } from "../../files/atomic.ts";
import type { CrashAt } from "./crash-points.ts";

export interface GroupCommitOptions {
  crashAt?: CrashAt | undefined;
  /** Called once, when a write or sync has failed. */
  onBroken?: ((error: HypoError) => void) | undefined;
}

/** Lines that go to the disk together, and the promise that says they are there. */
interface Batch {
  lines: string[];
  durable: Promise<void>;
  resolve: () => void;
  reject: (error: HypoError) => void;
}

/**
 * Appends lines to a file and syncs it. What arrives while one sync is under way shares the next. The first failure
 * ends it for good: after a failed sync nobody knows what is on the disk, so nothing is tried again.
 */
export class GroupCommit {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #options: GroupCommitOptions;
  #next: Batch | undefined;
  #latest: Promise<void> = Promise.resolve();
  #drained: Promise<void> = Promise.resolve();
  #isDraining = false;
  #broken: HypoError | undefined;
  #bytes: number;

  private constructor(path: string, file: FileHandle, bytes: number, options: GroupCommitOptions) {
    this.#path = path;
    this.#file = file;
    this.#bytes = bytes;
    this.#options = options;
  }

  /** Opens an existing file whose length is `bytes`. Throws `storage_failed`. */
  static async open(path: string, bytes: number, options: GroupCommitOptions): Promise<GroupCommit> {
    try {
      return new GroupCommit(path, await open(path, "a"), bytes, options);
    } catch (error) {
      throw storageError(path, error);
    }
  }

  /** Why nothing more can be written, once something failed. */
  get broken(): HypoError | undefined {
    return this.#broken;
  }

  /** How much of the file is durable. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves when the line, and every line before it, is on the disk; rejects with `storage_failed`. */
  append(line: string): Promise<void> {
    if (this.#broken) return rejected(this.#broken);
    this.#next ??= newBatch();
    this.#next.lines.push(line);
    this.#latest = this.#next.durable;
    if (!this.#isDraining) this.#drained = this.#drain();
    return this.#latest;
  }

  /** Resolves when all lines so far are on the disk; rejects with `storage_failed`. */
  flush(): Promise<void> {
    return this.#broken ? rejected(this.#broken) : this.#latest;
  }

  /** Writes what is pending and closes the file. What could not be written has been reported by then. */
  async close(): Promise<void> {
    await this.#drained;
    this.#broken ??= new HypoError("internal", `${this.#path} is closed.`);
    await this.#file.close().catch((error: unknown) => {
      throw storageError(this.#path, error);
    });
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#next) {
      // One turn of the event loop lets everyone who waited for the last sync join this write.
      await nextTurn();
      const batch = this.#next;
      this.#next = undefined;
      try {
        await this.#commit(batch.lines.join(""));
        batch.resolve();
      } catch (error) {
        this.#break(storageError(this.#path, error), batch);
      }
    }
    this.#isDraining = false;
  }

  async #commit(lines: string): Promise<void> {
    const bytes = Buffer.from(lines);
    this.#options.crashAt?.("journal.before_write");
    // Into the page cache, which takes microseconds: a trip to another thread would cost more than the write.
    let written = 0;
    while (written < bytes.length) written += writeSync(this.#file.fd, bytes, written);
    this.#options.crashAt?.("journal.after_write");
    await this.#file.datasync();
    this.#options.crashAt?.("journal.after_sync");
    this.#bytes += bytes.length;
  }

  #break(error: HypoError, batch: Batch): void {
    this.#broken = error;
    batch.reject(error);
    this.#next?.reject(error);
    this.#next = undefined;
    this.#options.onBroken?.(error);
  }
}

function newBatch(): Batch {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { lines: [], durable: handled(promise), resolve, reject };
}

function rejected(reason: HypoError): Promise<void> {
  return handled(Promise.reject(reason));
}

/** A rejection that nobody waits for must not end the process: `onBroken` tells those who need to know. */
function handled(promise: Promise<void>): Promise<void> {
  promise.catch(() => undefined);
  return promise;
}
