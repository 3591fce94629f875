import { writeErr, type Io } from "../io.ts";
import { plainLine } from "./plain-text.ts";
import { cut } from "./width.ts";

/** Work that is shorter needs no sign of life. */
const UNSEEN_MS = 300;

/** A sign of life on stderr while something takes its time. */
export interface Spinner {
  /** Replaces what it says. */
  show(text: string): void;
  /** Prints a line above it that stays. */
  say(line: string): void;
}

interface SpinnerOptions {
  /** What is done, in a few words. */
  text: string;
  json: boolean;
  /** Prints what it would show as lines where nothing turns: for work of minutes. */
  printsSteps?: boolean;
}

/**
 * Shows at a terminal what is being done, once that has taken 300 ms, and takes it away again when it is done. Where
 * stderr is no terminal, or results go out as JSON, nothing turns.
 */
export async function withSpinner<T>(options: SpinnerOptions, io: Io, work: (spinner: Spinner) => Promise<T>): Promise<T> {
  const { text, json, printsSteps } = options;
  const say = (line: string): void => writeErr(io, line);
  if (!io.isTty.stderr || json || io.env["TERM"] === "dumb") return work({ show: printsSteps ? say : () => undefined, say });
  const turning = new TurningSpinner(text, io);
  try {
    return await work(turning);
  } finally {
    turning.stop();
  }
}

/** Loads ora only when there is something to be seen. */
class TurningSpinner implements Spinner {
  private readonly io: Io;
  private readonly timer: NodeJS.Timeout;
  private text: string;
  private ora: import("ora").Ora | undefined;
  private isOver = false;

  constructor(text: string, io: Io) {
    this.io = io;
    this.text = text;
    this.timer = setTimeout(() => void this.start(), UNSEEN_MS);
  }

  show(text: string): void {
    this.text = text;
    if (this.ora) this.ora.text = this.fitted();
  }

  say(line: string): void {
    this.ora?.clear();
    writeErr(this.io, line);
    this.ora?.render();
  }

  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.ora?.stop();
  }

  private async start(): Promise<void> {
    const { default: ora } = await import("ora");
    if (this.isOver) return;
    const { stderr, color } = this.io;
    // Reading the keyboard would take Ctrl-C away.
    this.ora = ora({ text: this.fitted(), stream: stderr, isEnabled: true, discardStdin: false, color: color.stderr ? "cyan" : false });
    this.ora.start();
  }

  /** One line: what wraps would be left behind. */
  private fitted(): string {
    const columns: unknown = Reflect.get(this.io.stderr, "columns");
    return cut(plainLine(this.text), (typeof columns === "number" ? columns : 80) - 4);
  }
}
