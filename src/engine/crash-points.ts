/** Points between an effect and its record at which crash tests kill the process (`HYPO_CRASH_AT=<point>[:<n>]`). */
export const ENGINE_CRASH_POINTS = [
  "run.created",
  "model.answered",
  "model.recorded",
  "tool.started",
  "tool.done",
  "tool.recorded",
  "agent.spawned",
  "finding.recorded",
  "plan.recorded",
  "experiment.started",
  "experiment.done",
  "run.stopping",
  "report.files_written",
  "report.recorded",
] as const;

/** Those that are reached only where a person answers, or asks for something. */
export const PERSON_CRASH_POINTS = ["gate.opened", "gate.answered", "control.taken", "control.served"] as const;

export type EngineCrashPoint = (typeof ENGINE_CRASH_POINTS)[number] | (typeof PERSON_CRASH_POINTS)[number];
