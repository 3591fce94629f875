import { HypoError } from "../domain/errors.ts";

/** Branches whose agents may ask no model until a person lets them go on. */
export class PauseSwitch {
  private readonly paused = new Map<string, PromiseWithResolvers<void>>();

  isPaused(branch: string): boolean {
    return this.paused.has(branch);
  }

  /** False where it was paused already. */
  pause(branch: string): boolean {
    if (this.paused.has(branch)) return false;
    this.paused.set(branch, Promise.withResolvers<void>());
    return true;
  }

  /** False where it was not paused. */
  release(branch: string): boolean {
    const held = this.paused.get(branch);
    this.paused.delete(branch);
    held?.resolve();
    return held !== undefined;
  }

  /** Resolves at once, or when the branch is released. Rejects when the signal aborts first. */
  async wait(branch: string, signal: AbortSignal): Promise<void> {
    const held = this.paused.get(branch);
    if (!held) return;
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(new HypoError("refused", "Ended while the run was paused."));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    try {
      await Promise.race([held.promise, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }
}
