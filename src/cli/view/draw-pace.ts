/** Milliseconds between two draws at least. */
const BETWEEN_MS = 100;
/** Clocks on the screen go on without anything happening. */
const IDLE_MS = 1000;

/** Draws at once where that is not too soon, else as soon as it may be, and each second for the clocks. */
export class DrawPace {
  private readonly draw: () => void;
  private last = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private isSoon = false;
  private isEnded = false;

  constructor(draw: () => void) {
    this.draw = draw;
    this.wait(IDLE_MS);
  }

  request(): void {
    if (this.isSoon || this.isEnded) return;
    this.isSoon = true;
    this.wait(Math.max(0, this.last + BETWEEN_MS - performance.now()));
  }

  end(): void {
    this.isEnded = true;
    clearTimeout(this.timer);
  }

  private wait(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isSoon = false;
      this.last = performance.now();
      this.wait(IDLE_MS);
      this.draw();
    }, ms);
  }
}
