import type { JournalRecord } from "../../domain/events.ts";
import { isEventType, JOURNAL_VERSION } from "../../domain/records.ts";

const UPDATE = "Update hypo; a newer one wrote this run.";

/** A line of a journal, parsed. */
export interface RawRecord {
  v?: unknown;
  type?: unknown;
  seq?: unknown;
  data?: unknown;
}

export type CheckedRecord = { ok: true; record: JournalRecord } | { ok: false; problem: string; hint?: string };

/**
 * A parsed line as a record. The current version is trusted, since its check sum matched and zod saw it when it was
 * written; a newer one is refused. An older one is for `old-records.ts`, whose schemas are loaded only where there is one.
 */
export function checkVersion(value: RawRecord): CheckedRecord | "older" {
  if (value.v === JOURNAL_VERSION) {
    if (value.seq === undefined || isEventType(String(value.type))) return { ok: true, record: value as unknown as JournalRecord };
    return { ok: false, problem: `hypo does not know the event "${String(value.type)}"`, hint: UPDATE };
  }
  if (typeof value.v !== "number" || value.v < JOURNAL_VERSION) return "older";
  return { ok: false, problem: `its version is ${value.v}, and this hypo reads up to ${JOURNAL_VERSION}`, hint: UPDATE };
}
