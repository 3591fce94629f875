import { ExitCode } from "../domain/errors.ts";
import { saveOnLostOutput } from "./lost-output.ts";

/** What work came to, and the exit code of the signal that ended it, if one did. */
interface SignalledWork<T> {
  value: T;
  endedBy: number | undefined;
}

/**
 * Does work that SIGINT, SIGTERM and the closing of its terminal ask to end. A second SIGINT or SIGTERM ends the process
 * at once, with the signal's exit code. The closing of a terminal only asks, since the shell and the system both tell of it,
 * and so does the loss of its output, which may come of the same Ctrl-C.
 */
export async function withSignals<T>(work: (signal: AbortSignal) => Promise<T>): Promise<SignalledWork<T>> {
  const controller = new AbortController();
  let endedBy: number | undefined;
  let isAsked = false;
  const end = (code: number): void => {
    endedBy ??= code;
    controller.abort();
  };
  const endOrExit = (code: number): void => {
    if (isAsked) process.exit(code);
    isAsked = true;
    end(code);
  };
  // They stay until the work is over: a signal that nobody listens to any more is taken for the end by those who tidy
  // the terminal, such as a spinner.
  const listeners: readonly (readonly [NodeJS.Signals, () => void])[] = [
    ["SIGINT", () => endOrExit(ExitCode.interrupted)],
    ["SIGTERM", () => endOrExit(ExitCode.terminated)],
    // Without a terminal it may have been told to live on, by `nohup`, which a listener would undo.
    ...(process.stderr.isTTY ? ([["SIGHUP", () => end(ExitCode.terminated)]] as const) : []),
  ];
  for (const [name, listener] of listeners) process.on(name, listener);
  const forget = saveOnLostOutput(() => end(ExitCode.terminated));
  try {
    const value = await work(controller.signal);
    return { value, endedBy };
  } finally {
    forget();
    for (const [name, listener] of listeners) process.off(name, listener);
  }
}
