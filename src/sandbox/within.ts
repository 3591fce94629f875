import type { Clock } from "../domain/ports.ts";

/**
 * What `start` promises, or an error if it takes longer than `ms` milliseconds. Its signal then says that nobody waits
 * any more: a request that is given up would else hold its connection for as long as the engine likes.
 */
export async function within<T>(start: (givenUp: AbortSignal) => Promise<T>, ms: number, clock: Clock): Promise<T> {
  const settled = new AbortController();
  const givenUp = new AbortController();
  const late = Symbol("late");
  const promise = start(givenUp.signal);
  promise.catch(() => undefined);
  try {
    const first = await Promise.race([
      promise,
      clock.sleep(ms, settled.signal).then(
        (): typeof late => late,
        (): typeof late => late,
      ),
    ]);
    if (first !== late) return first;
    givenUp.abort();
    throw new Error(`no answer within ${ms / 1000} seconds`);
  } finally {
    settled.abort();
  }
}

/** Like `Promise.all`, but never leaves one at work when another fails: it could make something after the clearing up. */
export async function settleAll<A, B>(both: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(both);
  return Promise.all(both);
}
