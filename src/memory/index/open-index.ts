import { rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { messageOf, systemCodeOf } from "../../domain/errors.ts";
import { makeFolder, storageError } from "../../files/atomic.ts";
import { isBusy, isDamage } from "./sqlite-errors.ts";
import { APPLICATION_ID, INDEX_VERSION, SCHEMA } from "./schema.ts";

/** The open index: one connection that follows the files, and one that searches what was last committed. */
export interface OpenIndex {
  writer: BetterSqlite3.Database;
  reader: BetterSqlite3.Database;
  /** Why the index has to be filled from nothing, where it was not usable; undefined where it was. */
  rebuilt: string | undefined;
  /** Which file this is: another process may have deleted it and made a new one. */
  file: string;
}

const OPENING_MS = 10_000;

/** Opens `index.sqlite`, and makes it where it is missing, damaged or of another version. */
export async function openIndex(path: string, sleep: (ms: number) => Promise<unknown>): Promise<OpenIndex> {
  await makeFolder(dirname(path));
  const wasThere = (await identifyFile(path)) !== undefined;
  for (let waited = 0; ; waited += 50) {
    try {
      return await connect(path, wasThere ? undefined : "was missing");
    } catch (error) {
      if (isDamage(error)) break;
      if (!isBusy(error) || waited >= OPENING_MS) throw storageError(path, error);
      await sleep(50);
    }
  }
  return replaceIndex(path, "was damaged");
}

/** Deletes the index and makes an empty one. */
export async function replaceIndex(path: string, why: string): Promise<OpenIndex> {
  await Promise.all(["", "-wal", "-shm"].map((suffix) => rm(path + suffix, { force: true, recursive: true })));
  return connect(path, why).catch((error: unknown) => {
    throw storageError(path, error);
  });
}

export function closeIndex(index: OpenIndex): void {
  index.reader.close();
  index.writer.close();
}

/** Which file stands at a path; undefined where there is none. */
export async function identifyFile(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw storageError(path, error);
  }
}

async function connect(path: string, whyNew: string | undefined): Promise<OpenIndex> {
  const { default: Database } = await import("better-sqlite3");
  const writer = new Database(path, { timeout: 50 });
  try {
    const version = ensureSchema(writer);
    if (version !== INDEX_VERSION) {
      writer.close();
      return await replaceIndex(path, version > INDEX_VERSION ? "was written by a newer hypo" : "was written by an older hypo");
    }
    const reader = new Database(path, { timeout: 5000 });
    reader.pragma("query_only = ON");
    return { writer, reader, rebuilt: whyNew, file: (await identifyFile(path)) ?? "" };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Makes the tables in an empty file. Gives the version of the index that is there. */
function ensureSchema(writer: BetterSqlite3.Database): number {
  writer.pragma("journal_mode = WAL");
  writer.pragma("synchronous = NORMAL");
  // In kilobytes: a rebuild is one transaction, and what does not fit is written several times.
  writer.pragma("cache_size = -64000");
  if (isEmpty(writer)) writer.transaction(() => isEmpty(writer) && createTables(writer)).immediate();
  const version = writer.pragma("user_version", { simple: true });
  const isOurs = writer.pragma("application_id", { simple: true }) === APPLICATION_ID;
  return isOurs && typeof version === "number" ? version : 0;
}

function isEmpty(writer: BetterSqlite3.Database): boolean {
  return writer.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
}

function createTables(writer: BetterSqlite3.Database): void {
  writer.exec(SCHEMA);
  writer.pragma(`application_id = ${APPLICATION_ID}`);
  writer.pragma(`user_version = ${INDEX_VERSION}`);
}

/** For the line that says why the index was built anew. */
export function whyDamaged(error: unknown): string {
  return `was damaged (${messageOf(error)})`;
}
