import type { ErrorCode } from "../../domain/errors.ts";

/** What a background process tells the one that started it: its run is at work, or why it will never be. */
export type Announcement = { run: string } | { failure: { code: ErrorCode; message: string; hint: string | null } };

/** The variable that ties a process to its parent: it saves its run and ends when the parent is gone, however that died. */
export const LEASH_VARIABLE = "HYPO_LEASH";

/** The variable that gives a new run its id, so that whoever starts it can find it whatever happens in between. */
export const RUN_ID_VARIABLE = "HYPO_RUN_ID";

/** The way to tell the parent, where this process was started by another hypo. */
export function announcerOf(process: NodeJS.Process): ((word: Announcement) => void) | undefined {
  if (!process.send) return undefined;
  if (process.env[LEASH_VARIABLE] === "1") {
    process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
    // The wish to know must not keep a finished process running.
    process.channel?.unref();
  }
  return (word) => {
    if (process.connected) process.send?.(word);
  };
}
