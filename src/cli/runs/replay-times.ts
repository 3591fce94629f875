import { ExitCode, HypoError } from "../../domain/errors.ts";

/**
 * Replays one time after the other, until a person ends it: nothing is kept of the replay that was at work then, and
 * those before it stand.
 *
 * @throws HypoError what `replay` throws while nobody has ended it
 */
export async function replayTimes(times: number, signal: AbortSignal, replay: (time: number) => Promise<void>): Promise<void> {
  for (let time = 1; time <= times && !signal.aborted; time += 1) {
    try {
      await replay(time);
    } catch (error) {
      if (!(signal.aborted && wasNotMade(error))) throw error;
    }
  }
}

function wasNotMade(error: unknown): boolean {
  return error instanceof HypoError && error.exitCode === ExitCode.noAnswer;
}
