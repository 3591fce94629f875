import { messageOf, systemCodeOf } from "../domain/errors.ts";

/**
 * What happens when output cannot be written. A reader that went away (`| head`) wants no more: that is no error, and
 * ends the program quietly; a full disk is one. A run at work is saved first, as by SIGTERM.
 */
export function watchOutput(process: NodeJS.Process): void {
  let isLost = false;
  const lose = (error: Error): void => {
    // The terminal has been closed; what is at work goes on or is handed over.
    if (systemCodeOf(error) === "EIO" || isLost) return;
    isLost = true;
    const isGone = systemCodeOf(error) === "EPIPE";
    if (!isGone) process.stderr.write(`hypo: Output cannot be written: ${messageOf(error)}\n      Make room, or write it elsewhere.\n`);
    if (process.listenerCount("SIGTERM") > 0) process.kill(process.pid, "SIGTERM");
    else process.exit(isGone ? (process.exitCode ?? 0) : 1);
  };
  for (const stream of [process.stdout, process.stderr]) stream.on("error", lose);
}
