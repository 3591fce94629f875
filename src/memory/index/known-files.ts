import type BetterSqlite3 from "better-sqlite3";
import type { FoundFile, Listing } from "./listing.ts";

/** A file as the index knows it. */
export interface KnownFile {
  path: string;
  stamp: string;
  sha256: string;
  fresh: number;
  problem: string | null;
}

/** What is known of all files, or of some. */
export function readKnown(database: BetterSqlite3.Database, only: string[] | undefined): Map<string, KnownFile> {
  const all = "SELECT path, stamp, sha256, fresh, problem FROM files";
  const rows =
    only === undefined
      ? database.prepare<[], KnownFile>(all).all()
      : database.prepare<[string], KnownFile>(`${all} WHERE path IN (SELECT value FROM json_each(?))`).all(JSON.stringify(only));
  return new Map(rows.map((row) => [row.path, row]));
}

export function hasChanges(found: Listing, known: Map<string, KnownFile>): boolean {
  if (found.size !== known.size) return true;
  for (const file of found.files()) if (needsReading(file, known.get(file.path))) return true;
  return false;
}

/** A file that was read while it was still fresh is read again until it has settled. */
export function needsReading(file: FoundFile, known: KnownFile | undefined): boolean {
  return known === undefined || known.stamp !== file.stamp || known.fresh === 1;
}

/** The digest of the listing that the index holds exactly; undefined where files are to be compared one by one. */
export function readDigest(database: BetterSqlite3.Database): string | undefined {
  return database.prepare<[], string | null>("SELECT listing FROM totals").pluck().get() ?? undefined;
}

export function keepDigest(database: BetterSqlite3.Database, digest: string | undefined): void {
  database.prepare("UPDATE totals SET listing = ?").run(digest ?? null);
}
