import { readFileSync } from "node:fs";

/** How often a process that was sent to the background looks whether it is back. */
const LOOK_MS = 250;
/** A stop that does not come (nobody could let this process go on) is given up after this. */
const AFTER_STOP_MS = 50;

export interface Suspendable {
  /** Gives the terminal back to the person. */
  release(): void;
  /** Takes the terminal again and draws everything anew. */
  reclaim(): void;
}

/** What stops and continues processes; the real one outside tests. */
export interface JobControl {
  on(signal: "SIGTSTP" | "SIGCONT", listener: () => void): void;
  off(signal: "SIGTSTP" | "SIGCONT", listener: () => void): void;
  /** Stops the whole job, as the terminal does on Ctrl-Z where it reads no keys. */
  stop(): void;
  isForeground(): boolean;
}

/**
 * Suspends as the shell expects it: the terminal is as it was while the process is stopped, and the view is drawn
 * anew when it goes on, once it is in the foreground again. After a stop from outside that gave no warning, too.
 */
export function watchSuspension(view: Suspendable, jobs: JobControl = realJobs): { suspend: () => void; end: () => void } {
  let isReleased = false;
  let timer: NodeJS.Timeout | undefined;
  const comeBack = (): void => {
    clearTimeout(timer);
    if (!jobs.isForeground()) timer = setTimeout(comeBack, LOOK_MS).unref();
    else if (isReleased) {
      isReleased = false;
      jobs.on("SIGTSTP", suspend);
      view.reclaim();
    }
  };
  const suspend = (): void => {
    if (isReleased) return;
    isReleased = true;
    jobs.off("SIGTSTP", suspend);
    view.release();
    jobs.stop();
    // What follows is done when the process goes on.
    timer = setTimeout(comeBack, AFTER_STOP_MS);
  };
  const onContinue = (): void => {
    // Stopped without a warning: the shell has changed the terminal meanwhile.
    if (!isReleased) {
      isReleased = true;
      jobs.off("SIGTSTP", suspend);
      view.release();
    }
    comeBack();
  };
  jobs.on("SIGTSTP", suspend);
  jobs.on("SIGCONT", onContinue);
  const end = (): void => {
    clearTimeout(timer);
    jobs.off("SIGTSTP", suspend);
    jobs.off("SIGCONT", onContinue);
  };
  return { suspend, end };
}

const realJobs: JobControl = {
  on: (signal, listener) => process.on(signal, listener),
  off: (signal, listener) => process.off(signal, listener),
  stop: () => process.kill(0, "SIGTSTP"),
  isForeground,
};

/** Whether the terminal is this job's now; where the system does not tell, it is taken to be. */
function isForeground(): boolean {
  try {
    // Format: proc(5). The name, in brackets, may hold anything; then state, ppid, pgrp, session, tty, tpgid.
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[5] === "-1" || fields[2] === fields[5];
  } catch {
    return true;
  }
}
