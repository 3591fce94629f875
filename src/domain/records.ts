import type { EventType, Fact, JournalRecord } from "./events.ts";

/** What reading a journal needs of its format, without the schemas: loading those takes longer than reading most runs. */

/** The version of journal records that this hypo writes. */
export const JOURNAL_VERSION = 1;

const EVENT_TYPES = {
  run_started: true,
  agent_spawned: true,
  agent_started: true,
  agent_steered: true,
  message_undelivered: true,
  agent_reported: true,
  agent_finished: true,
  model_answered: true,
  tool_started: true,
  tool_finished: true,
  source_stored: true,
  finding_published: true,
  hypothesis_moved: true,
  plan_registered: true,
  experiment_started: true,
  experiment_finished: true,
  review_recorded: true,
  question_closed: true,
  iteration_closed: true,
  spend_reserved: true,
  spend_charged: true,
  gate_opened: true,
  gate_answered: true,
  run_paused: true,
  run_resumed: true,
  run_stopping: true,
  report_part_drafted: true,
  report_written: true,
  conclusion_kept: true,
  run_finished: true,
} as const satisfies Record<EventType, true>;

/** Whether hypo knows an event of this name. */
export function isEventType(name: string): name is EventType {
  return Object.hasOwn(EVENT_TYPES, name);
}

export function isFact(record: JournalRecord): record is Fact {
  return "seq" in record;
}
