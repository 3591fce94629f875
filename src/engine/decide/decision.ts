import type { RunEvent } from "../../domain/events.ts";

/** What a decision comes to: events to record, or a refusal that says what to do instead. Deciding changes nothing. */
export type Decision = { refused?: undefined; events: RunEvent[] } | { refused: string };

export function refuse(why: string): Decision {
  return { refused: why };
}

export function accept(...events: RunEvent[]): Decision {
  return { events };
}
