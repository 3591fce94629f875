/** A limit on how many do something at once; the rest wait in order. */
export class Slots {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  /** Resolves when a slot is free, to the function that frees it again; to undefined where the signal came first. */
  async take(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (this.free > 0) {
      this.free -= 1;
      return this.releaser();
    }
    return new Promise((resolve) => {
      const grant = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve(this.releaser());
      };
      const giveUp = (): void => {
        this.waiting.splice(this.waiting.indexOf(grant), 1);
        resolve(undefined);
      };
      this.waiting.push(grant);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  private releaser(): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    };
  }
}
