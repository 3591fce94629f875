/** Where a crash test may end the process. Each name says what has just been done, or what comes next. */
export const JOURNAL_CRASH_POINTS = [
  "lock.before_take",
  "lock.before_replace",
  "lock.taken",
  "journal.before_create",
  "journal.created",
  "journal.before_repair",
  "journal.torn_saved",
  "journal.repaired",
  "journal.before_write",
  "journal.after_write",
  "journal.after_sync",
  "journal.before_release",
] as const;

export type JournalCrashPoint = (typeof JOURNAL_CRASH_POINTS)[number];

/** Called at each point; a crash test's version kills the process there. */
export type CrashAt = (point: JournalCrashPoint) => void;
