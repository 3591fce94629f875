import { messageOf, systemCodeOf } from "../domain/errors.ts";

/** What those who have work to save do where output is lost. A process has one output. */
const savers = new Set<() => void>();

/**
 * Has work saved, and not dropped, where output is lost, until the function that this gives is called. The loss often
 * comes of a signal that asks for the same: `save` must not take it for a second one.
 */
export function saveOnLostOutput(save: () => void): () => void {
  savers.add(save);
  return () => void savers.delete(save);
}

/**
 * What happens when output cannot be written. A reader that went away (`| head`) wants no more: that is no error, and
 * ends the program quietly; a full disk is one. Work that is to be saved is saved first.
 */
export function watchOutput(process: Pick<NodeJS.Process, "stdout" | "stderr" | "exit" | "exitCode">): void {
  let isLost = false;
  const lose = (error: Error): void => {
    // The terminal has been closed; what is at work goes on or is handed over.
    if (systemCodeOf(error) === "EIO" || isLost) return;
    isLost = true;
    const isGone = systemCodeOf(error) === "EPIPE";
    if (!isGone) process.stderr.write(`hypo: Output cannot be written: ${messageOf(error)}\n      Make room, or write it elsewhere.\n`);
    if (savers.size === 0) process.exit(isGone ? (process.exitCode ?? 0) : 1);
    for (const save of savers) save();
  };
  for (const stream of [process.stdout, process.stderr]) stream.on("error", lose);
}
