import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/domain/ports.ts";
import { PoliteQueue } from "../../../src/gateway/politeness.ts";

const signal = new AbortController().signal;

/** A clock whose time passes only while someone sleeps. */
function makeClock(): Clock & { slept: number[] } {
  let time = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => new Date(time),
    monotonic: () => time,
    sleep: async (ms) => {
      slept.push(ms);
      time += ms;
    },
  };
}

describe("the politeness queue", () => {
  it("leaves the interval between two starts", async () => {
    const clock = makeClock();
    const queue = new PoliteQueue(clock);
    const pace = { concurrency: 1, intervalMs: 3_000 };
    const starts: number[] = [];
    await Promise.all([1, 2, 3].map(() => queue.run("arxiv", pace, signal, async () => void starts.push(clock.monotonic()))));
    expect(starts).toEqual([0, 3_000, 6_000]);
  });

  it("keeps hosts apart from each other", async () => {
    const clock = makeClock();
    const queue = new PoliteQueue(clock);
    const pace = { concurrency: 1, intervalMs: 3_000 };
    await Promise.all(["a", "b"].map((key) => queue.run(key, pace, signal, async () => undefined)));
    expect(clock.slept).toEqual([]);
  });

  it("goes on after a task that failed", async () => {
    const queue = new PoliteQueue(makeClock());
    const pace = { concurrency: 1, intervalMs: 0 };
    const failing = queue.run("a", pace, signal, () => Promise.reject(new Error("no")));
    const next = queue.run("a", pace, signal, async () => "yes");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });

  it("never starts a task that was stopped while it waited", async () => {
    const queue = new PoliteQueue(makeClock());
    const pace = { concurrency: 1, intervalMs: 0 };
    const stop = new AbortController();
    let release = (): void => undefined;
    const first = queue.run("a", pace, signal, () => new Promise<void>((done) => (release = done)));
    let started = false;
    const second = queue.run("a", pace, stop.signal, async () => void (started = true));
    const third = queue.run("a", pace, signal, async () => "third");
    stop.abort();
    await expect(second).rejects.toThrow("aborted");
    release();
    await first;
    expect(await third).toBe("third");
    expect(started).toBe(false);
  });
});
