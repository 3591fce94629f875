import { z } from "zod";
import { EVENT_DATA, type EventType, JOURNAL_VERSION, type JournalRecord } from "../../domain/events.ts";

const UPDATE = "Update hypo; a newer one wrote this run.";

const Whole = z.int().min(0);
const OldMove = z.object({ v: Whole, branch: z.string(), head: Whole, from: Whole.optional(), reason: z.string(), at: z.iso.datetime() });
const OldFact = z.object({
  v: Whole,
  seq: Whole.min(1),
  parent: Whole,
  branch: z.string(),
  at: z.iso.datetime(),
  type: z.enum(Object.keys(EVENT_DATA) as EventType[]),
  data: z.unknown(),
});

type CheckedRecord = { ok: true; record: JournalRecord } | { ok: false; problem: string; hint?: string };

/**
 * A parsed line as a record. The current version is trusted, since its check sum matched and zod saw it when it was
 * written; an older one is checked whole; a newer one is refused.
 */
export function checkVersion(value: { v?: unknown; type?: unknown; seq?: unknown }): CheckedRecord {
  if (value.v !== JOURNAL_VERSION) return checkOtherVersion(value);
  if (value.seq !== undefined && !Object.hasOwn(EVENT_DATA, String(value.type))) {
    return { ok: false, problem: `hypo does not know the event "${String(value.type)}"`, hint: UPDATE };
  }
  return { ok: true, record: value as unknown as JournalRecord };
}

function checkOtherVersion(value: { v?: unknown; type?: unknown; seq?: unknown; data?: unknown }): CheckedRecord {
  if (typeof value.v === "number" && value.v > JOURNAL_VERSION) {
    return { ok: false, problem: `its version is ${value.v}, and this hypo reads up to ${JOURNAL_VERSION}`, hint: UPDATE };
  }
  const shape = value.seq === undefined ? OldMove.safeParse(value) : OldFact.safeParse(value);
  if (!shape.success) return { ok: false, problem: flatten(shape.error) };
  if (!("type" in shape.data)) return { ok: true, record: shape.data };
  const data = EVENT_DATA[shape.data.type].safeParse(shape.data.data);
  if (!data.success) return { ok: false, problem: flatten(data.error) };
  return { ok: true, record: { ...shape.data, data: data.data } as JournalRecord };
}

function flatten(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join(".") || "record"}: ${issue.message}`).join("; ");
}
