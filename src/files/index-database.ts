import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import type BetterSqlite3 from "better-sqlite3";
import { systemCodeOf } from "../domain/errors.ts";
import { storageError } from "./atomic.ts";

/** The tables of an index that can be built anew from files, and what tells it from any other database. */
export interface IndexSchema {
  sql: string;
  applicationId: number;
  version: number;
}

/**
 * Makes the tables in an empty database, whichever of several processes comes first.
 *
 * @returns the version of the index that is there; 0 where the database is none of this kind
 */
export function ensureSchema(database: BetterSqlite3.Database, schema: IndexSchema): number {
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = NORMAL");
  if (isEmpty(database)) database.transaction(() => isEmpty(database) && createTables(database, schema)).immediate();
  return versionOf(database, schema);
}

/** The version of the index in a database; 0 where it is none of this kind. */
export function versionOf(database: BetterSqlite3.Database, { applicationId }: Pick<IndexSchema, "applicationId">): number {
  const isOurs = database.pragma("application_id", { simple: true }) === applicationId;
  const version = database.pragma("user_version", { simple: true });
  return isOurs && typeof version === "number" ? version : 0;
}

function isEmpty(database: BetterSqlite3.Database): boolean {
  return database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
}

function createTables(database: BetterSqlite3.Database, { sql, applicationId, version }: IndexSchema): void {
  database.exec(sql);
  database.pragma(`application_id = ${applicationId}`);
  database.pragma(`user_version = ${version}`);
}

/** Removes a database and what SQLite keeps beside it. */
export async function removeDatabase(path: string): Promise<void> {
  await Promise.all(["", "-wal", "-shm"].map((suffix) => rm(path + suffix, { force: true, recursive: true })));
}

/** Which file stands at a path, to notice one that was deleted and made anew; undefined where there is none. */
export function identifyFile(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw storageError(path, error);
  }
}
