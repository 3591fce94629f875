import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { ModelAttempt, ModelFailure, ModelRequest, ResolvedModel } from "../../../src/domain/model.ts";
import type { Clock } from "../../../src/domain/ports.ts";
import { BUDGET_DEFAULT, LIMITS_DEFAULT } from "../../../src/domain/limit-defaults.ts";
import type { Budget } from "../../../src/domain/limits.ts";
import { Governor, ModelCallError } from "../../../src/engine/governor.ts";
import { Journal } from "../../../src/engine/journal/journal.ts";
import { event, RunLog } from "../../../src/engine/run-log.ts";
import { emptyLedger } from "../../../src/engine/state/ledger.ts";
import { emptyRunState } from "../../../src/engine/state/run-state.ts";
import { makeTestFolder } from "../journal/support.ts";
import { sampleSpec } from "../../support/samples.ts";

const MODEL: ResolvedModel = {
  ref: "p/m",
  provider: "p",
  id: "m",
  contextWindow: 200_000,
  maxTokens: 1000,
  price: { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 1 },
};
const REQUEST: ModelRequest = { purpose: "turn", model: MODEL, messages: 1, bytes: () => 1000, results: [], signal: undefined };
/** What the request above may cost at most. */
const WORST = { usd: 0.011, tokens: 2000 };

const answered: ModelAttempt = {
  answered: true,
  answer: {
    message: {},
    text: "yes",
    toolCalls: [],
    stopReason: "stop",
    usage: { input: 100, output: 10, cache_read: 0, cache_write: 0, usd: 0.0002 },
  },
};

function failed(kind: ModelFailure["kind"], more: Partial<ModelFailure> = {}): ModelAttempt {
  return { answered: false, failure: { kind, started: false, message: `it was ${kind}`, ...more } };
}

/** Time that passes only while somebody sleeps. */
class SleepingClock implements Clock {
  elapsed = 0;
  readonly sleeps: number[] = [];
  now = (): Date => new Date(this.elapsed);
  monotonic = (): number => this.elapsed;
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms);
    if (!signal?.aborted) this.elapsed += ms;
  }
}

class Rig {
  readonly clock = new SleepingClock();
  readonly said: string[] = [];
  private reservations = 0;
  readonly log: RunLog;
  readonly governor: Governor;

  private constructor(log: RunLog, idleSeconds: number) {
    this.log = log;
    this.governor = new Governor({
      streaming: log.state.limits.streaming,
      clock: this.clock,
      thinks: false,
      idleSeconds,
      random: () => 1,
      reservationId: () => `live-${(this.reservations += 1)}`,
      onDelta: () => undefined,
      say: (line) => this.said.push(line),
    });
  }

  static async make({
    budget = {},
    streaming = 3,
    idleSeconds = 100,
  }: { budget?: Partial<Budget>; streaming?: number; idleSeconds?: number } = {}): Promise<Rig> {
    const journal = await Journal.create(await makeTestFolder(), { clock: new SleepingClock() });
    onTestFinished(() => journal.close());
    const state = emptyRunState();
    Object.assign(state, { limits: { ...LIMITS_DEFAULT, streaming }, budget: { ...BUDGET_DEFAULT, ...budget } });
    const log = new RunLog(journal, "main", state, emptyLedger());
    await log.record(
      event("agent_spawned", { agent: "root", parent: null, call: null, mode: "foreground", spec: sampleSpec("root"), spec_sha256: "" }),
    );
    return new Rig(log, idleSeconds);
  }

  /** Asks, with attempts that end as listed, the last again and again. Gives how many were made, and the outcome. */
  async ask(...ends: ModelAttempt[]): Promise<{ attempts: number; outcome: "answered" | ModelCallError }> {
    let attempts = 0;
    const attempt = (): Promise<ModelAttempt> => Promise.resolve(ends[Math.min(attempts++, ends.length - 1)] ?? answered);
    try {
      await this.settle(await this.governor.ask(this.log, "root", REQUEST, attempt, new AbortController().signal));
      return { attempts, outcome: "answered" };
    } catch (error) {
      if (error instanceof ModelCallError) return { attempts, outcome: error };
      throw error;
    }
  }

  /** Records an answer, as an agent does. */
  async settle({ answer, reservation }: Awaited<ReturnType<Governor["ask"]>>): Promise<void> {
    const { message, usage, stopReason: stop_reason } = answer;
    await this.log.record(
      event("model_answered", { agent: "root", index: 0, reservation, purpose: "turn", messages: 1, stop_reason, usage, message }),
    );
    this.governor.noteSettled();
  }
}

let rig: Rig;
beforeEach(async () => {
  rig = await Rig.make();
});

describe("a failed model call", () => {
  test("of a busy server is made again after pauses that double, six times at most", async () => {
    const { attempts, outcome } = await rig.ask(failed("server_error"));
    expect(outcome).toMatchObject({ reason: "model_unavailable", endsRun: false });
    expect(attempts).toBe(7);
    expect(rig.clock.sleeps).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000]);
  });

  test("of a server that keeps limiting the rate is never made again later than after 60 s, unless it asks for more", async () => {
    const { attempts, outcome } = await rig.ask(failed("rate_limited"));
    expect(outcome).toMatchObject({ reason: "model_unavailable" });
    expect(attempts).toBe(21);
    expect(Math.max(...rig.clock.sleeps)).toBe(60_000);
    rig = await Rig.make();
    await rig.ask(failed("rate_limited", { retryAfterMs: 90_000 }), answered);
    expect(rig.clock.sleeps).toEqual([90_000]);
  });

  test("that broke off is made again, and is paid for in full where the answer had begun", async () => {
    expect(await rig.ask(failed("cut"), failed("cut", { started: true }), answered)).toEqual({ attempts: 3, outcome: "answered" });
    expect(rig.log.ledger.usd).toBeCloseTo(WORST.usd + 0.0002, 12);
    expect(rig.log.ledger.tokens).toBe(WORST.tokens + 110);
  });

  test("with refused credentials ends the run at once, and costs nothing", async () => {
    const { attempts, outcome } = await rig.ask(failed("refused", { status: 401 }));
    expect({ attempts, outcome }).toMatchObject({ attempts: 1, outcome: { reason: "credentials_refused", endsRun: true } });
    expect(rig.log.ledger).toMatchObject({ usd: 0, tokens: 0, reservedUsd: 0 });
  });

  test.each(["context_overflow", "other"] as const)("of kind %s is not made again", async (kind) => {
    expect(await rig.ask(failed(kind))).toMatchObject({ attempts: 1, outcome: { reason: "model_unavailable", endsRun: false } });
  });

  test("that was aborted keeps its reservation", async () => {
    expect(await rig.ask(failed("aborted"))).toMatchObject({ attempts: 1, outcome: { reason: "aborted" } });
    expect(rig.log.ledger).toMatchObject({ usd: WORST.usd, tokens: WORST.tokens });
  });
});

describe("a stream that falls silent", () => {
  /** Never says anything; ends when it is cut. */
  const silent = (signal: AbortSignal): Promise<ModelAttempt> =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(failed("aborted")), { once: true }));

  test("is cut and asked once more, then given up; both are paid for", async () => {
    rig = await Rig.make({ idleSeconds: 0.02 });
    let attempts = 0;
    const asking = rig.governor.ask(
      rig.log,
      "root",
      REQUEST,
      ({ signal }) => ((attempts += 1), silent(signal)),
      new AbortController().signal,
    );
    await expect(asking).rejects.toMatchObject({ reason: "model_unavailable", message: "the stream was silent for 0.02 s" });
    expect(attempts).toBe(2);
    expect(rig.said).toHaveLength(1);
    expect(rig.log.ledger.usd).toBeCloseTo(2 * WORST.usd, 12);
  });

  test("is not cut while anything arrives", async () => {
    rig = await Rig.make({ idleSeconds: 0.05 });
    const attempt = async ({ onActivity }: { onActivity: (delta: string) => void }): Promise<ModelAttempt> => {
      for (let piece = 0; piece < 6; piece += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        onActivity("");
      }
      return answered;
    };
    await rig.settle(await rig.governor.ask(rig.log, "root", REQUEST, attempt, new AbortController().signal));
    expect(rig.said).toEqual([]);
  });
});

describe("a rate limit", () => {
  test("pauses every agent until it is over, also those that ask only then", async () => {
    const starts: number[] = [];
    let limited = true;
    const attempt = (): Promise<ModelAttempt> => {
      starts.push(rig.clock.elapsed);
      const end = limited ? failed("rate_limited", { status: 429, retryAfterMs: 7000 }) : answered;
      limited = false;
      return Promise.resolve(end);
    };
    const { signal } = new AbortController();
    const first = rig.governor.ask(rig.log, "root", REQUEST, attempt, signal);
    while (rig.said.length === 0) await new Promise(setImmediate);
    const others = [1, 2, 3].map(() => rig.governor.ask(rig.log, "root", REQUEST, attempt, signal));
    for (const each of await Promise.all([first, ...others])) await rig.settle(each);
    expect(starts).toHaveLength(5);
    expect(starts.filter((at) => at < 7000)).toEqual([0]);
  });
});

describe("streaming", () => {
  test("goes on in no more calls at once than the limit says", async () => {
    rig = await Rig.make({ streaming: 2 });
    let [open, most] = [0, 0];
    const attempt = async (): Promise<ModelAttempt> => {
      most = Math.max(most, (open += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return answered;
    };
    const asking = Array.from({ length: 9 }, () => rig.governor.ask(rig.log, "root", REQUEST, attempt, new AbortController().signal));
    for (const each of await Promise.all(asking)) await rig.settle(each);
    expect(most).toBe(2);
  });
});

describe("a budget with room for one call", () => {
  const budget = { usd: 0.015 };

  test("lets the next call wait until the first is settled, and then go on with what is left", async () => {
    rig = await Rig.make({ budget });
    const first = await rig.governor.ask(rig.log, "root", REQUEST, () => Promise.resolve(answered), new AbortController().signal);
    let attempts = 0;
    const second = rig.governor.ask(
      rig.log,
      "root",
      REQUEST,
      () => ((attempts += 1), Promise.resolve(answered)),
      new AbortController().signal,
    );
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(attempts).toBe(0);
    await rig.settle(first);
    await rig.settle(await second);
    expect(attempts).toBe(1);
  });

  test("lets nobody wait for what a dead process had reserved", async () => {
    rig = await Rig.make({ budget });
    await rig.log.record(event("spend_reserved", { reservation: "of-a-dead-process", agent: "root", ...WORST }));
    expect(await rig.ask(answered)).toMatchObject({ attempts: 0, outcome: { reason: "budget_exhausted", endsRun: false } });
  });

  test("lets an agent that ends meanwhile go at once", { timeout: 5000 }, async () => {
    rig = await Rig.make({ budget });
    await rig.governor.ask(rig.log, "root", REQUEST, () => Promise.resolve(answered), new AbortController().signal);
    const end = new AbortController();
    const waiting = rig.governor.ask(rig.log, "root", REQUEST, () => Promise.resolve(answered), end.signal);
    setTimeout(() => end.abort(), 20);
    await expect(waiting).rejects.toMatchObject({ reason: "aborted" });
  });
});
