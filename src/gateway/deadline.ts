import { HypoError } from "../domain/errors.ts";

/**
 * One signal for all that can end a request: the caller's abort, the total time, and the time of the current phase
 * (waiting for the first byte, or for the next one).
 */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #subject: string;
  readonly #caller: AbortSignal;
  readonly #totalMs: number;
  /** Milliseconds that are left of the total time, and since when they run. */
  #left: number;
  #since: number;
  #total: NodeJS.Timeout;
  #phase: NodeJS.Timeout | undefined;

  constructor(subject: string, totalMs: number, caller: AbortSignal) {
    this.#subject = subject;
    this.#caller = caller;
    this.signal = this.#controller.signal;
    this.#totalMs = totalMs;
    this.#left = totalMs;
    this.#since = performance.now();
    this.#total = this.#startTotal();
    caller.addEventListener("abort", this.#cancel);
    if (caller.aborted) this.#cancel();
  }

  /** Starts a phase: unless another starts or `clear` comes within `ms`, the request ends with a `timeout`. */
  start(ms: number, problem: string): void {
    clearTimeout(this.#phase);
    this.#phase = setTimeout(() => this.#expire(`${problem} for ${ms / 1000} s`), ms);
  }

  /** Ends the phase: nothing is awaited from the other side any more. */
  endPhase(): void {
    clearTimeout(this.#phase);
  }

  /** Stops all clocks: what is waited for now is no fault of the other side. */
  pause(): void {
    clearTimeout(this.#total);
    this.endPhase();
    this.#left -= performance.now() - this.#since;
  }

  resume(): void {
    this.#since = performance.now();
    this.#total = this.#startTotal();
  }

  clear(): void {
    clearTimeout(this.#total);
    this.endPhase();
    this.#caller.removeEventListener("abort", this.#cancel);
  }

  readonly #cancel = (): void => this.#controller.abort(cancelled(this.#subject, this.#caller));

  #startTotal(): NodeJS.Timeout {
    return setTimeout(() => this.#expire(`was not read within ${this.#totalMs / 1000} s`), Math.max(0, this.#left));
  }

  #expire(problem: string): void {
    this.#controller.abort(
      new HypoError("timeout", `${this.#subject} ${problem}.`, {
        hint: "Try again later or read another source; gateway.timeouts sets the limits.",
      }),
    );
  }
}

/** The error of something its caller stopped. */
export function cancelled(subject: string, caller: AbortSignal): HypoError {
  return new HypoError("refused", `${subject} was not read: the caller stopped it.`, { cause: caller.reason });
}
