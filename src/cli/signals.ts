import { ExitCode } from "../domain/errors.ts";

/** What work came to, and the exit code of the signal that ended it, if one did. */
interface SignalledWork<T> {
  value: T;
  endedBy: number | undefined;
}

/**
 * Does work that SIGINT, SIGTERM and the closing of its terminal ask to end. The second signal ends the process at once,
 * as if nobody listened.
 */
export async function withSignals<T>(work: (signal: AbortSignal) => Promise<T>): Promise<SignalledWork<T>> {
  const controller = new AbortController();
  let endedBy: number | undefined;
  const listeners = (
    [
      ["SIGINT", ExitCode.interrupted],
      ["SIGTERM", ExitCode.terminated],
      // Without a terminal it may have been told to live on, by `nohup`, which a listener would undo.
      ...(process.stderr.isTTY ? ([["SIGHUP", ExitCode.terminated]] as const) : []),
    ] as const
  ).map(([name, code]) => {
    const listener = (): void => {
      endedBy = code;
      stopListening();
      controller.abort();
    };
    return [name, listener] as const;
  });
  const stopListening = (): void => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
  for (const [name, listener] of listeners) process.on(name, listener);
  try {
    const value = await work(controller.signal);
    return { value, endedBy };
  } finally {
    stopListening();
  }
}
