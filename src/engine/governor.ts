import type { AgentId } from "../domain/ids.ts";
import type { ModelAnswer, ModelAttempt, ModelAttemptOptions, ModelFailure, ModelRequest } from "../domain/model.ts";
import type { Clock } from "../domain/ports.ts";
import { affordCall } from "./decide/spend.ts";
import { event, type RunLog } from "./run-log.ts";
import { StreamingSlots } from "./streaming-slots.ts";

export interface GovernorOptions {
  log: RunLog;
  clock: Clock;
  thinks: boolean;
  idleSeconds: number;
  /** Between 0 and 1. */
  random: () => number;
  /** An id that no other process of this run has used. */
  reservationId: () => string;
  /** New text as it streams, for people. */
  onDelta: (agent: AgentId, delta: string) => void;
  say: (line: string) => void;
}

/** Why a call could not be answered; the whole run ends with `endsRun`. */
export class ModelCallError extends Error {
  readonly reason: "budget_exhausted" | "credentials_refused" | "model_unavailable" | "aborted";
  readonly endsRun: boolean;

  constructor(reason: ModelCallError["reason"], message: string) {
    super(message);
    this.name = "ModelCallError";
    this.reason = reason;
    this.endsRun = reason === "credentials_refused";
  }
}

export interface GovernedAnswer {
  answer: ModelAnswer;
  reservation: string;
}

type Attempt = (options: ModelAttemptOptions) => Promise<ModelAttempt>;

const LONGEST_BACKOFF_MS = 60_000;
const MOST_RETRIES = 6;
const MOST_RATE_LIMITS = 20;

/**
 * Serves every model call of a run: streaming slots, reserved spend, one pause for all on a rate limit, backoff for
 * server errors and cut streams, a watchdog for silent ones. No agent retries by itself.
 */
export class Governor {
  private readonly options: GovernorOptions;
  private readonly slots: StreamingSlots;
  private pausedUntil = 0;
  private settled: Promise<void>;
  private announceSettled: () => void = () => undefined;

  constructor(options: GovernorOptions) {
    this.options = options;
    this.slots = new StreamingSlots(options.log.state.limits.streaming);
    this.settled = this.nextSettlement();
  }

  /**
   * Gets one answer. Its reservation is settled by the model_answered fact, which the caller records.
   *
   * @throws ModelCallError
   */
  async ask(agent: AgentId, request: ModelRequest, attempt: Attempt, signal: AbortSignal): Promise<GovernedAnswer> {
    const tries = new Retries();
    for (;;) {
      const giveBack = await this.slots.take(signal).catch(() => {
        throw new ModelCallError("aborted", "ended before the model was asked");
      });
      let outcome: { answer: GovernedAnswer } | { failure: ModelFailure };
      try {
        await this.waitOutPause(signal);
        outcome = await this.callOnce(agent, request, attempt, signal);
      } finally {
        giveBack();
      }
      if ("answer" in outcome) return outcome.answer;
      await this.recover(outcome.failure, tries, signal);
    }
  }

  /** To be called when a reservation has been settled by a recorded answer. */
  noteSettled(): void {
    const announce = this.announceSettled;
    this.settled = this.nextSettlement();
    announce();
  }

  private nextSettlement(): Promise<void> {
    return new Promise((resolve) => {
      this.announceSettled = resolve;
    });
  }

  private async callOnce(
    agent: AgentId,
    request: ModelRequest,
    attempt: Attempt,
    signal: AbortSignal,
  ): Promise<{ answer: GovernedAnswer } | { failure: ModelFailure }> {
    const { reservation, maxTokens, usd, tokens } = await this.reserve(agent, request, signal);
    const result = await this.watch(agent, attempt, maxTokens, signal);
    if (result.answered) return { answer: { answer: result.answer, reservation } };
    // A call that was refused before it began cost nothing. One that was cut or aborted may have: it keeps its reservation.
    const free = !result.failure.started && result.failure.kind !== "aborted" && result.failure.kind !== "silent";
    const charge = free ? { usd: 0, tokens: 0 } : { usd, tokens };
    await this.options.log.record(event("spend_charged", { reservation, ...charge, reason: result.failure.kind }));
    this.noteSettled();
    return { failure: result.failure };
  }

  private async reserve(agent: AgentId, request: ModelRequest, signal: AbortSignal) {
    const { log, thinks } = this.options;
    const size = { agent, model: request.model, input: request.bytes(), thinks };
    for (;;) {
      if (signal.aborted) throw new ModelCallError("aborted", "ended before the model was asked");
      const cost = affordCall(log.state, log.ledger, size);
      if (cost.affordable) {
        const reservation = this.options.reservationId();
        this.live.add(reservation);
        const { usd, tokens, maxTokens } = cost;
        await log.record(event("spend_reserved", { reservation, agent, usd, tokens }));
        return { reservation, maxTokens, usd, tokens };
      }
      if (!cost.settlingMayHelp || !this.hasLiveReservation()) throw new ModelCallError("budget_exhausted", cost.why);
      await untilFirst(this.settled, signal);
    }
  }

  /** Reservations of this process: those of dead ones are never settled and are not worth waiting for. */
  private readonly live = new Set<string>();

  private hasLiveReservation(): boolean {
    for (const id of this.live) if (!this.options.log.ledger.reserved.has(id)) this.live.delete(id);
    return this.live.size > 0;
  }

  /** Calls the provider and cuts a stream that has fallen silent. */
  private async watch(agent: AgentId, attempt: Attempt, maxTokens: number, signal: AbortSignal): Promise<ModelAttempt> {
    const silence = new AbortController();
    const idleMs = this.options.idleSeconds * 1000;
    let timer = setTimeout(() => silence.abort(), idleMs);
    const onActivity = (delta: string): void => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), idleMs);
      if (delta !== "") this.options.onDelta(agent, delta);
    };
    try {
      const result = await attempt({ maxTokens, signal: AbortSignal.any([signal, silence.signal]), onActivity });
      if (result.answered || !silence.signal.aborted || signal.aborted) return result;
      return {
        answered: false,
        failure: { ...result.failure, kind: "silent", message: `the stream was silent for ${this.options.idleSeconds} s` },
      };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits as the failure asks, or gives up. */
  private async recover(failure: ModelFailure, tries: Retries, signal: AbortSignal): Promise<void> {
    const { clock, say } = this.options;
    switch (failure.kind) {
      case "aborted":
        throw new ModelCallError("aborted", failure.message);
      case "refused":
        throw new ModelCallError("credentials_refused", failure.message);
      case "context_overflow":
      case "other":
        throw new ModelCallError("model_unavailable", failure.message);
      case "rate_limited": {
        tries.rateLimits += 1;
        if (tries.rateLimits > MOST_RATE_LIMITS)
          throw new ModelCallError("model_unavailable", `rate limited ${MOST_RATE_LIMITS} times: ${failure.message}`);
        const wait = failure.retryAfterMs ?? this.backoff(tries.rateLimits);
        this.pausedUntil = Math.max(this.pausedUntil, clock.monotonic() + wait);
        say(`The model's provider asks for a pause of ${Math.ceil(wait / 1000)} s; every agent waits.`);
        return;
      }
      case "silent":
        tries.silences += 1;
        if (tries.silences > 1) throw new ModelCallError("model_unavailable", failure.message);
        say(`A model ${failure.message}; it is asked once more.`);
        return;
      case "server_error":
      case "cut": {
        tries.errors += 1;
        if (tries.errors > MOST_RETRIES) throw new ModelCallError("model_unavailable", failure.message);
        const wait = failure.retryAfterMs ?? this.backoff(tries.errors);
        say(`A model call failed (${oneLine(failure.message)}); it is made again in ${(wait / 1000).toFixed(1)} s.`);
        await clock.sleep(wait, signal);
        return;
      }
    }
  }

  private backoff(attempt: number): number {
    return Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** (attempt - 1)) * (0.5 + this.options.random() / 2);
  }

  private async waitOutPause(signal: AbortSignal): Promise<void> {
    for (;;) {
      const left = this.pausedUntil - this.options.clock.monotonic();
      if (left <= 0) return;
      await this.options.clock.sleep(left, signal);
      if (signal.aborted) throw new ModelCallError("aborted", "ended while waiting for the provider");
    }
  }
}

class Retries {
  errors = 0;
  silences = 0;
  rateLimits = 0;
}

/** Resolves with the promise, or as soon as the signal aborts. */
async function untilFirst(settled: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const abort = (): void => aborted.resolve();
  signal.addEventListener("abort", abort, { once: true });
  await Promise.race([settled, aborted.promise]);
  signal.removeEventListener("abort", abort);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 160);
}
