import { ExitCode } from "../domain/errors.ts";
import type { Fact } from "../domain/events.ts";
import type { LiveRun } from "../engine/live-run.ts";
import { conclude } from "./conclude-run.ts";
import { writeErr, type Io } from "./io.ts";
import { plainBlock } from "./output/plain-text.ts";
import type { Project } from "./project/project.ts";
import { makeFactPrinter } from "./progress/print-facts.ts";
import type { RunSource } from "./view/run-view.tsx";

export interface FollowOptions {
  json: boolean;
  project: Project;
  io: Io;
  /** True where several branches are at work: the view shows one, so lines show them all. */
  isSeveral?: boolean;
}

/** How progress is shown: facts as JSON lines, a live view, or a line a step. */
export class RunFollower {
  readonly options: FollowOptions;
  private readonly names = new Map<string, string>();
  private readonly print: (fact: Fact) => void;
  private readonly onChange = new Set<() => void>();
  private readonly warnings: string[] = [];

  constructor(options: FollowOptions) {
    this.options = options;
    this.print = makeFactPrinter(options.io, { json: options.json, showsBranch: options.isSeveral === true, names: this.names });
  }

  /** True when a live view draws on the terminal, so that nothing else may be written to it. */
  get drawsView(): boolean {
    const { io, json, isSeveral } = this.options;
    return !json && isSeveral !== true && io.isTty.stderr && io.env["TERM"] !== "dumb" && io.env["CI"] === undefined;
  }

  say(line: string): void {
    if (this.drawsView) this.warnings.push(line);
    else writeErr(this.options.io, plainBlock(line));
  }

  show(fact: Fact): void {
    for (const change of this.onChange) change();
    if (!this.drawsView) this.print(fact);
  }

  /** Follows a run to its end, or to the point where it is left. Ctrl-C once saves it, twice ends at once. */
  async follow(live: LiveRun): Promise<number> {
    const interrupt = makeInterrupter(live, this.options.io);
    const [first] = live.branches;
    if (!first) throw new TypeError("a run at work has one branch at least");
    const source = { state: () => first.state, ledger: () => live.ledger() };
    const end = await this.watch(source, interrupt, () => live.done);
    return conclude(live.id, end, this.options);
  }

  /** Shows a run while `work` lasts. Signals, and Ctrl-C in the view, go to `interrupt`. */
  async watch<T>(source: Omit<RunSource, "subscribe">, interrupt: Interrupt, work: () => Promise<T>): Promise<T> {
    const { io } = this.options;
    const onInt = (): void => interrupt("SIGINT", ExitCode.interrupted);
    const onTerm = (): void => interrupt("SIGTERM", ExitCode.terminated);
    process.on("SIGINT", onInt);
    process.on("SIGTERM", onTerm);
    for (const [id, agent] of source.state().agents) this.names.set(id, agent.spec.name);
    const view = this.drawsView ? await this.mountView(source, onInt) : undefined;
    try {
      return await work();
    } finally {
      await view?.unmount();
      process.off("SIGINT", onInt);
      process.off("SIGTERM", onTerm);
      for (const line of new Set(this.warnings)) writeErr(io, plainBlock(line));
    }
  }

  private async mountView(source: Omit<RunSource, "subscribe">, onInterrupt: () => void) {
    const { mountRunView } = await import("./view/run-view.tsx");
    const { io } = this.options;
    const subscribe = (change: () => void): (() => void) => {
      this.onChange.add(change);
      return () => this.onChange.delete(change);
    };
    return mountRunView({ source: { ...source, subscribe }, io, now: () => io.now(), onInterrupt });
  }
}

type Interrupt = (name: string, exitCode: number) => void;

function makeInterrupter(live: LiveRun, io: Io): Interrupt {
  let asked = false;
  return (name, exitCode) => {
    if (asked) process.exit(exitCode);
    asked = true;
    writeErr(io, `Saving the run (again to end at once) ...`);
    live.interrupt(name, exitCode);
    setTimeout(() => process.exit(exitCode), 5000).unref();
  };
}
