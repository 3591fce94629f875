import { z } from "zod";
import { EVENT_DATA, type EventType, type JournalRecord } from "../../domain/events.ts";
import { checkVersion, type CheckedRecord, type RawRecord } from "./versions.ts";

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

/** A parsed line of any version as a record; one of an older version is checked whole. */
export function checkAnyVersion(value: RawRecord): CheckedRecord {
  const checked = checkVersion(value);
  return checked === "older" ? checkOldRecord(value) : checked;
}

function checkOldRecord(value: RawRecord): CheckedRecord {
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
