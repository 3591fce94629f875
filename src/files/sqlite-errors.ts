import { systemCodeOf } from "../domain/errors.ts";

/** Another process holds the lock that was wanted. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(systemCodeOf(error) ?? "");
}

/** The disk would not take what was written. */
export function isWriteFailure(error: unknown): boolean {
  return /^SQLITE_(FULL|READONLY|IOERR_(WRITE|FSYNC|TRUNCATE|SHM))/.test(systemCodeOf(error) ?? "");
}

/** The file is not the index it should be: not a database, broken pages, tables missing. */
export function isDamage(error: unknown): boolean {
  const code = systemCodeOf(error) ?? "";
  if (/^SQLITE_(CORRUPT|NOTADB|SCHEMA|FORMAT|IOERR_SHORT_READ)/.test(code)) return true;
  return (
    code === "SQLITE_ERROR" && error instanceof Error && /no such (?:table|column|module)|vtable constructor failed/.test(error.message)
  );
}

/** What to throw where a row holds what was never written: a damage that SQLite itself, without check sums, cannot tell. */
export function damagedRow(what: string): Error {
  return Object.assign(new Error(`${what} that was never written`), { code: "SQLITE_CORRUPT" });
}
