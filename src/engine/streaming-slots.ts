import { HypoError } from "../domain/errors.ts";

/** At most so many model answers stream at once; the rest wait in the order they came. */
export class StreamingSlots {
  private free: number;
  private readonly waiting: { take: () => void }[] = [];

  constructor(count: number) {
    this.free = count;
  }

  /** Resolves with a function that gives the slot back. Rejects when the signal aborts first. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw abortedWhileWaiting();
    if (this.free > 0) this.free -= 1;
    else await this.wait(signal);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.waiting.shift();
      if (next) next.take();
      else this.free += 1;
    };
  }

  private wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = { take: () => settle(resolve) };
      const abort = (): void => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        settle(() => reject(abortedWhileWaiting()));
      };
      const settle = (then: () => void): void => {
        signal.removeEventListener("abort", abort);
        then();
      };
      signal.addEventListener("abort", abort, { once: true });
      this.waiting.push(entry);
    });
  }
}

function abortedWhileWaiting(): HypoError {
  return new HypoError("refused", "Ended while waiting for a model.");
}
