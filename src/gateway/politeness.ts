import type { Clock } from "../domain/ports.ts";

/** How a host wants to be asked. */
export interface Pace {
  /** Requests at once. */
  concurrency: number;
  /** Least time between the starts of two requests, in milliseconds. */
  intervalMs: number;
}

interface Lane {
  running: number;
  nextStart: number;
  waiting: (() => void)[];
}

/** Queues requests by key (a host or a provider) so that none is asked more often than its pace allows. */
export class PoliteQueue {
  readonly #clock: Clock;
  readonly #lanes = new Map<string, Lane>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a task when its turn comes; a task whose signal is aborted while it waits is never started. */
  async run<T>(key: string, pace: Pace, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const lane = this.#openLane(key);
    await enter(lane, pace.concurrency, signal);
    try {
      const now = this.#clock.monotonic();
      const start = Math.max(now, lane.nextStart);
      lane.nextStart = start + pace.intervalMs;
      if (start > now) await this.#clock.sleep(start - now, signal);
      signal.throwIfAborted();
      return await task();
    } finally {
      leave(lane);
    }
  }

  #openLane(key: string): Lane {
    const lane = this.#lanes.get(key) ?? { running: 0, nextStart: 0, waiting: [] };
    this.#lanes.set(key, lane);
    return lane;
  }
}

async function enter(lane: Lane, concurrency: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (lane.running < concurrency) {
    lane.running += 1;
    return;
  }
  await new Promise<void>((done, fail) => {
    // The one who leaves hands its place over, so `running` stays as it is.
    const proceed = (): void => {
      signal.removeEventListener("abort", giveUp);
      done();
    };
    const giveUp = (): void => {
      lane.waiting = lane.waiting.filter((one) => one !== proceed);
      fail(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    };
    lane.waiting.push(proceed);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}

function leave(lane: Lane): void {
  const next = lane.waiting.shift();
  if (next === undefined) lane.running -= 1;
  else next();
}
