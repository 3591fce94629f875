import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { mountRunView, type RunView, type RunViewOptions } from "../../src/cli/view/run-view.tsx";
import type { JobControl } from "../../src/cli/view/suspend-process.ts";
import type { Change, RunSource } from "../../src/cli/view/view-session.ts";
import type { Fact } from "../../src/domain/events.ts";
import { evolve } from "../../src/engine/state/evolve.ts";
import { emptyLedger, evolveLedger } from "../../src/engine/state/ledger.ts";
import { emptyRunState } from "../../src/engine/state/run-state.ts";

/** A terminal of a given size that keeps what is written to it. */
class FakeTerminal extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  columns: number;
  rows: number;
  written = "";

  constructor(columns = 80, rows = 24) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  write = (text: string, ...rest: unknown[]): boolean => {
    this.written += text;
    const done = rest.at(-1);
    if (typeof done === "function") done();
    return true;
  };

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.emit("resize");
  }
}

class FakeKeyboard extends PassThrough {
  readonly isTTY = true;
  isRaw = false;

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** A run of facts that are given one by one, as a journal would give them. */
export class FactSource implements RunSource {
  readonly all: Fact[] = [];
  readonly warnings: string[] = [];
  readonly doing = new Map<string, string>();
  readonly listeners = new Set<(change: Change) => void>();
  /** How often the state was looked at: once a draw, and once a key. */
  looks = 0;
  private readonly now = emptyRunState();
  private readonly spent = emptyLedger();

  constructor(facts: readonly Fact[] = []) {
    for (const fact of facts) this.apply(fact);
  }

  apply(fact: Fact): void {
    this.all.push(fact);
    evolve(this.now, fact);
    evolveLedger(this.spent, fact);
    this.tell({ fact });
  }

  tell(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }

  say(line: string): void {
    this.warnings.push(line);
    this.tell({});
  }

  state() {
    this.looks += 1;
    return this.now;
  }

  ledger() {
    return this.spent;
  }

  async *facts(): AsyncIterable<Fact> {
    yield* this.all.slice();
  }

  said() {
    return this.warnings;
  }

  progress() {
    return this.doing;
  }

  subscribe(listener: (change: Change) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** Job control that stops nothing: `continue` plays the shell's `fg`. */
class FakeJobs implements JobControl {
  stops = 0;
  isInFront = true;
  private readonly events = new EventEmitter();

  on(signal: string, listener: () => void): void {
    this.events.on(signal, listener);
  }

  off(signal: string, listener: () => void): void {
    this.events.off(signal, listener);
  }

  stop(): void {
    this.stops += 1;
    this.isInFront = false;
  }

  continue(): void {
    this.isInFront = true;
    this.events.emit("SIGCONT");
  }

  isForeground(): boolean {
    return this.isInFront;
  }
}

interface MountedView {
  view: RunView;
  terminal: FakeTerminal;
  keyboard: FakeKeyboard;
  jobs: FakeJobs;
}

/** The view on a terminal in memory. */
export function mountOn(
  source: RunSource,
  options: Partial<Omit<RunViewOptions, "io">> & { columns?: number; rows?: number } = {},
): MountedView {
  const terminal = new FakeTerminal(options.columns, options.rows);
  const keyboard = new FakeKeyboard();
  const jobs = new FakeJobs();
  const view = mountRunView({
    source,
    now: () => new Date(),
    hypo: "hypo",
    abilities: { isAttached: false, canDetach: false },
    act: () => Promise.resolve(undefined),
    jobs,
    ...options,
    io: {
      openStdin: () => keyboard,
      stderr: terminal as unknown as NodeJS.WritableStream,
      color: { stdout: false, stderr: false },
    },
  });
  return { view, terminal, keyboard, jobs };
}
