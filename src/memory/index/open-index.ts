import { dirname } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { messageOf } from "../../domain/errors.ts";
import { makeFolder, storageError } from "../../files/atomic.ts";
import { ensureSchema, identifyFile, removeDatabase, versionOf } from "../../files/index-database.ts";
import { isBusy, isDamage } from "../../files/sqlite-errors.ts";
import { INDEX } from "./schema.ts";

/** The open index: one connection that searches what was last committed, and one that follows the files. */
export interface OpenIndex {
  reader: BetterSqlite3.Database;
  /** Opened when it is first asked for: most searches find that no file has changed. */
  openWriter: () => BetterSqlite3.Database;
  /** Why the index has to be filled from nothing, where it was not usable; undefined where it was. */
  rebuilt: string | undefined;
  /** Which file this is: another process may have deleted it and made a new one. */
  file: string;
  close: () => void;
}

const OPENING_MS = 10_000;

/** Opens `index.sqlite`, and makes it where it is missing, damaged or of another version. */
export async function openIndex(path: string, sleep: (ms: number) => Promise<unknown>): Promise<OpenIndex> {
  const wasThere = identifyFile(path) !== undefined;
  if (!wasThere) await makeFolder(dirname(path));
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
  await removeDatabase(path);
  return connect(path, why).catch((error: unknown) => {
    throw storageError(path, error);
  });
}

async function connect(path: string, whyNew: string | undefined): Promise<OpenIndex> {
  const { default: Database } = await import("better-sqlite3");
  const reader = new Database(path, { timeout: 5000 });
  let writer: BetterSqlite3.Database | undefined;
  const openWriter = (): BetterSqlite3.Database => (writer ??= connectWriter(new Database(path, { timeout: 50 })));
  const close = (): void => {
    reader.close();
    writer?.close();
  };
  try {
    let version = versionOf(reader, INDEX);
    if (version === 0) version = ensureSchema(openWriter(), INDEX);
    if (version !== INDEX.version) {
      close();
      return await replaceIndex(path, version > INDEX.version ? "was written by a newer hypo" : "was written by an older hypo");
    }
    reader.pragma("query_only = ON");
    // In kilobytes, as far as needed: a search reads a hundred notes from all over the index.
    reader.pragma("cache_size = -64000");
    return { reader, openWriter, rebuilt: whyNew, file: identifyFile(path) ?? "", close };
  } catch (error) {
    close();
    throw error;
  }
}

function connectWriter(writer: BetterSqlite3.Database): BetterSqlite3.Database {
  try {
    writer.pragma("synchronous = NORMAL");
    // In kilobytes: a rebuild is one transaction, and what does not fit is written several times.
    writer.pragma("cache_size = -64000");
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** For the line that says why the index was built anew. */
export function whyDamaged(error: unknown): string {
  return `was damaged (${messageOf(error)})`;
}
