import { ExitCode } from "../domain/errors.ts";
import type { Fact } from "../domain/events.ts";
import type { LiveRun } from "../engine/live-run.ts";
import { conclude } from "./conclude-run.ts";
import { writeErr, type Io } from "./io.ts";
import { plainBlock } from "./output/plain-text.ts";
import type { Project } from "./project/project.ts";
import { makeFactPrinter } from "./progress/print-facts.ts";
import { runFolder } from "../engine/run-folder.ts";
import { NO_CAPS } from "./commands/options.ts";
import type { StartGuard } from "./start-guard.ts";
import type { RunSource } from "./view/run-view.tsx";

export interface FollowOptions {
  json: boolean;
  /** Pi's agent directory, where not the usual one. */
  agentDir: string | undefined;
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
  /** Leaves the run to a background process; undefined where it is not at work in this one. */
  detach: (() => void) | undefined;
  private isDetached = false;

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

  /**
   * Follows a run to its end, or to the point where it is left. Ctrl-C once saves it, twice ends at once; where the
   * terminal is closed, or the person detaches, the run goes on in the background.
   */
  async follow(live: LiveRun, guard: StartGuard): Promise<number> {
    const interrupt = makeInterrupter(live, this.options.io);
    const [first] = live.branches;
    if (!first) throw new TypeError("a run at work has one branch at least");
    const source = { state: () => first.state, ledger: () => live.ledger() };
    this.detach = () => {
      this.isDetached = true;
      live.interrupt("detached", ExitCode.ok);
    };
    if (this.options.io.isTty.stderr) process.once("SIGHUP", this.detach);
    const end = await this.watch(source, interrupt, () => live.done, guard);
    process.off("SIGHUP", this.detach);
    if (!this.isDetached || end.branches.every((each) => each.end.finished)) return conclude(live.id, end, this.options);
    return this.goOnInBackground(live);
  }

  /** Shows a run while `work` lasts. Signals, and Ctrl-C in the view, go to `interrupt`, those caught before included. */
  async watch<T>(source: Omit<RunSource, "subscribe">, interrupt: Interrupt, work: () => Promise<T>, guard: StartGuard): Promise<T> {
    const { io } = this.options;
    const onInt = (): void => interrupt("SIGINT", ExitCode.interrupted);
    const onTerm = (): void => interrupt("SIGTERM", ExitCode.terminated);
    process.on("SIGINT", onInt);
    process.on("SIGTERM", onTerm);
    const asked = guard.release();
    if (asked) interrupt(asked.name, asked.exitCode);
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

  /** The run has been left at a checkpoint: a process of its own goes on from there. */
  private async goOnInBackground({ id, branches }: LiveRun): Promise<number> {
    const { io, project, json, agentDir } = this.options;
    const { resumeDetached, sayDetached } = await import("./background/detach.ts");
    const named = branches.map(({ name }) => name);
    const place = { id, folder: runFolder(project.state, id).path };
    const resumption = { ...NO_CAPS, json, debug: false, agentDir, run: id, branches: named, acceptChanges: false, onGate: undefined };
    sayDetached(await resumeDetached(place, resumption, io), { json }, io);
    return ExitCode.ok;
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
