import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type BetterSqlite3 from "better-sqlite3";
import { HypoError } from "../../../domain/errors.ts";
import { OneAtATime } from "../../../domain/one-at-a-time.ts";
import { makeFolder, storageError } from "../../../files/atomic.ts";
import { ensureSchema, identifyFile, removeDatabase } from "../../../files/index-database.ts";
import { isBusy, isDamage, isWriteFailure } from "../../../files/sqlite-errors.ts";
import { INDEX } from "./schema.ts";

/** Longest wait for another process that writes, in milliseconds. */
const PATIENCE_MS = 60_000;
const POLL_MS = 10;

/**
 * The database file of the index, made where it is missing, damaged or of another version. Its write lock is the lock
 * of the whole store: the system frees it when a process dies, however it dies.
 */
export class IndexFile {
  readonly #path: string;
  #open: { database: BetterSqlite3.Database; inode: string } | undefined;
  readonly #turns = new OneAtATime();

  constructor(path: string) {
    this.#path = path;
  }

  /** Runs work while neither this process nor another writes; what it changes in the database is kept if it succeeds. */
  async locked<T>(work: (database: BetterSqlite3.Database) => Promise<T>): Promise<T> {
    return await this.#turns.run(this.#path, async () => {
      const database = await this.#begin();
      try {
        const result = await work(database);
        database.exec("COMMIT");
        return result;
      } catch (error) {
        if (database.open && database.inTransaction) database.exec("ROLLBACK");
        throw isWriteFailure(error) ? storageError(this.#path, error) : error;
      }
    });
  }

  /** Runs a query on what is committed. */
  async read<T>(query: (database: BetterSqlite3.Database) => T): Promise<T> {
    return await this.#turns.run(this.#path, async () => query(await this.#database()));
  }

  /** Removes the file, which is then made anew and empty. */
  async discard(): Promise<void> {
    await this.#turns.run(this.#path, async () => {
      this.#drop();
      await removeDatabase(this.#path);
    });
  }

  async close(): Promise<void> {
    await this.#turns.run(this.#path, async () => this.#drop());
  }

  async #begin(): Promise<BetterSqlite3.Database> {
    for (let waited = 0; ; waited += POLL_MS) {
      const database = await this.#database();
      try {
        database.exec("BEGIN IMMEDIATE");
        // A file that was deleted meanwhile locks nobody out.
        if (identifyFile(this.#path) === this.#open?.inode) return database;
        this.#drop();
      } catch (error) {
        if (!isBusy(error)) throw storageError(this.#path, error);
        if (waited >= PATIENCE_MS) throw stillLocked(this.#path);
        await sleep(POLL_MS);
      }
    }
  }

  async #database(): Promise<BetterSqlite3.Database> {
    if (this.#open !== undefined && identifyFile(this.#path) !== this.#open.inode) this.#drop();
    this.#open ??= await openOrReplace(this.#path);
    return this.#open.database;
  }

  #drop(): void {
    this.#open?.database.close();
    this.#open = undefined;
  }
}

async function openOrReplace(path: string): Promise<{ database: BetterSqlite3.Database; inode: string }> {
  await makeFolder(dirname(path));
  for (let waited = 0; ; waited += POLL_MS) {
    try {
      const database = await connect(path);
      if (database !== undefined) return { database, inode: identifyFile(path) ?? "" };
      await removeDatabase(path);
    } catch (error) {
      if (isDamage(error)) await removeDatabase(path);
      else if (!isBusy(error) || waited >= PATIENCE_MS) throw storageError(path, error);
      await sleep(POLL_MS);
    }
  }
}

/** Undefined where the file is an index of another version. */
async function connect(path: string): Promise<BetterSqlite3.Database | undefined> {
  const { default: Database } = await import("better-sqlite3");
  const database = new Database(path, { timeout: 0 });
  try {
    if (ensureSchema(database, INDEX) === INDEX.version) return database;
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
}

function stillLocked(path: string): HypoError {
  return new HypoError("storage_failed", `Another process has been writing ${path} for over ${PATIENCE_MS / 1000} s.`, {
    hint: "Wait until the other hypo process has finished, then try again.",
  });
}
