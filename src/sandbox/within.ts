import type { Clock } from "../domain/ports.ts";

/** The promise's value, or an error if it takes longer than `ms` milliseconds. */
export async function within<T>(promise: Promise<T>, ms: number, clock: Clock): Promise<T> {
  const settled = new AbortController();
  const late = Symbol("late");
  promise.catch(() => undefined);
  try {
    const first = await Promise.race([
      promise,
      clock.sleep(ms, settled.signal).then(
        (): typeof late => late,
        (): typeof late => late,
      ),
    ]);
    if (first === late) throw new Error(`no answer within ${ms / 1000} seconds`);
    return first;
  } finally {
    settled.abort();
  }
}
