import type BetterSqlite3 from "better-sqlite3";
import { isBusy, isWriteFailure } from "../../files/sqlite-errors.ts";
import type { LanguageTable } from "../text/languages.ts";
import { hasChanges, keepDigest, readDigest, readKnown } from "./known-files.ts";
import type { Listing } from "./listing.ts";
import { hasNumbersFor } from "./note-numbers.ts";
import { RESET } from "./schema.ts";
import { scanFiles, scanNotes } from "./scan-notes.ts";

export interface FollowOptions {
  root: string;
  reader: BetterSqlite3.Database;
  openWriter: () => BetterSqlite3.Database;
  loadLanguages: () => Promise<LanguageTable>;
  now: () => Date;
  /** Takes the write lock (BEGIN IMMEDIATE); false where another process keeps it too long. */
  beginWriting: () => Promise<boolean>;
  /** Called with the files done and to do. */
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Look at these files alone; at all of memory/ where unset. */
  only?: string[] | undefined;
  /** Index every file again, whatever is known of it. */
  fromNothing?: boolean | undefined;
}

export interface Followed {
  outcome: "unchanged" | "updated" | "busy";
  /** How many files were looked at. */
  files: number;
  /** How long that took, in milliseconds, whatever was done about what had changed. */
  lookedMs: number;
}

/**
 * Brings the index up to the files: new, changed, removed and renamed ones, in one transaction. A file is read where
 * its stamp differs from the known one, and indexed where its hash does too. Where the listing of all files is the one
 * that was indexed last, nothing is looked up.
 */
export async function followFiles(options: FollowOptions): Promise<Followed> {
  const { reader, root, only, fromNothing = false } = options;
  const started = performance.now();
  const found = await (only === undefined ? scanNotes(root) : scanFiles(root, only));
  const isSame = !fromNothing && isUpToDate(found, options);
  const looked = { files: found.size, lookedMs: performance.now() - started };
  if (isSame) return { outcome: "unchanged", ...looked };
  if (!fromNothing && !hasNumbersFor(found.size, reader)) return followFiles({ ...options, only: undefined, fromNothing: true });
  const languages = await options.loadLanguages();
  const { applyChanges } = await import("./apply-changes.ts");
  if (!(await options.beginWriting())) return { outcome: "busy", ...looked };
  const writer = options.openWriter();
  try {
    if (fromNothing) writer.exec(RESET);
    await applyChanges(found, languages, options);
    writer.exec("COMMIT");
    // The log of a rebuild is larger than the index; where a reader holds it, a later command shortens it.
    if (fromNothing) writer.pragma("wal_checkpoint(TRUNCATE)");
    return { outcome: "updated", ...looked };
  } catch (error) {
    if (writer.inTransaction) writer.exec("ROLLBACK");
    throw error;
  }
}

function isUpToDate(found: Listing, { reader, openWriter, only }: FollowOptions): boolean {
  const digest = only === undefined ? found.digest() : undefined;
  if (digest !== undefined && digest === readDigest(reader)) return true;
  if (hasChanges(found, readKnown(reader, only))) return false;
  if (digest !== undefined) keepDigestIfStill(found, digest, openWriter());
  return true;
}

/** Saves the next search the comparing, where nobody else is writing: what others index meanwhile is not in `found`. */
function keepDigestIfStill(found: Listing, digest: string, writer: BetterSqlite3.Database): void {
  try {
    writer.transaction(() => hasChanges(found, readKnown(writer, undefined)) || keepDigest(writer, digest)).immediate();
  } catch (error) {
    // The index is as true without it: a later search tries again.
    if (!isBusy(error) && !isWriteFailure(error)) throw error;
  }
}
