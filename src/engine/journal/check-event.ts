import { HypoError } from "../../domain/errors.ts";
import { EVENT_DATA, type RunEvent } from "../../domain/events.ts";

/**
 * An event as it may be written: its data fit the schema, defaults are filled in, unknown members are gone.
 *
 * @throws HypoError `internal`, naming the members that do not fit.
 */
export function checkEvent(event: RunEvent): RunEvent {
  const parsed = EVENT_DATA[event.type].safeParse(event.data);
  if (parsed.success) return { type: event.type, data: parsed.data } as RunEvent;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "data"}: ${issue.message}`).join("; ");
  throw new HypoError("internal", `A ${event.type} event does not fit its schema: ${problems}.`, {
    hint: "This is a defect of hypo; nothing was recorded.",
    cause: parsed.error,
  });
}
