import { systemCodeOf } from "../../domain/errors.ts";

/** Another process holds the lock that was wanted. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(systemCodeOf(error) ?? "");
}

/** The file is not the index it should be: not a database, broken pages, tables missing. */
export function isDamage(error: unknown): boolean {
  const code = systemCodeOf(error) ?? "";
  if (/^SQLITE_(CORRUPT|NOTADB|SCHEMA|FORMAT|IOERR_SHORT_READ)/.test(code)) return true;
  return (
    code === "SQLITE_ERROR" && error instanceof Error && /no such (?:table|column|module)|vtable constructor failed/.test(error.message)
  );
}
