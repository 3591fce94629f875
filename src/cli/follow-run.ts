import { ExitCode } from "../domain/errors.ts";
import type { Fact } from "../domain/events.ts";
import type { AgentId } from "../domain/ids.ts";
import type { LiveRun } from "../engine/live-run.ts";
import { runFolder } from "../engine/run-folder.ts";
import { HandOver, type HandOverOptions } from "./background/hand-over.ts";
import { conclude } from "./conclude-run.ts";
import { writeErr } from "./io.ts";
import { saveOnLostOutput } from "./lost-output.ts";
import { plainBlock } from "./output/plain-text.ts";
import { makeFactPrinter } from "./progress/print-facts.ts";
import { hypoFor } from "./project/hypo-for.ts";
import type { RunPlace } from "./runs/find-run.ts";
import { folderOf } from "./runs/hold-run.ts";
import type { StartGuard } from "./start-guard.ts";
import type { KeyCommand, RunView } from "./view/run-view.tsx";
import type { Notice } from "./view/screen.ts";
import type { Change, RunSource } from "./view/view-session.ts";

export interface FollowOptions extends HandOverOptions {
  /** True where several branches are at work: the view shows one, so lines show them all. */
  isSeveral?: boolean;
}

/** A branch that is looked at, and what keys and signals do to it. */
export interface Watched extends Pick<RunSource, "state" | "ledger" | "facts"> {
  run: RunPlace;
  branch: string;
  /** True for a run that another process works on: looking ends, the run goes on. */
  isAttached: boolean;
  interrupt: (name: string, exitCode: number) => void;
  /** Saves the run where nobody can read its output any more; undefined where another process sees to it. */
  save?: () => void;
  /** Leaves the run at work in the background; undefined where that cannot be done. */
  detach?: () => void;
}

/** How progress is shown: facts as JSON lines, a live view, or a line a step. */
export class RunFollower {
  readonly options: FollowOptions;
  private readonly names = new Map<string, string>();
  private readonly print: (fact: Fact) => void;
  private readonly onChange = new Set<(change: Change) => void>();
  private readonly warnings = new Set<string>();
  private readonly printed = new Set<string>();
  private readonly doing = new Map<string, string>();
  private view: RunView | undefined;
  private live: LiveRun | undefined;

  constructor(options: FollowOptions) {
    this.options = options;
    this.print = makeFactPrinter(options.io, { json: options.json, showsBranch: options.isSeveral === true, names: this.names });
  }

  /** True when a live view draws on the terminal, so that nothing else may be written to it. */
  get drawsView(): boolean {
    const { io, json, isSeveral } = this.options;
    return !json && isSeveral !== true && io.isTty.stderr && io.env["TERM"] !== "dumb" && io.env["CI"] === undefined;
  }

  /** A line for the person: in the view once, and again when it is over. Those who watch this process are told too. */
  say(line: string): void {
    this.warnings.add(line);
    this.live?.note(line);
    if (!this.drawsView) return writeErr(this.options.io, plainBlock(line));
    this.changed({});
  }

  /** What an experiment is doing; where lines are printed, one that was printed before is not printed again. */
  showProgress(experiment: string, message: string): void {
    if (this.drawsView) {
      this.doing.set(experiment, message);
      return this.changed({});
    }
    const line = `${experiment}: ${message}`;
    if (!this.printed.has(line)) writeErr(this.options.io, plainBlock(line));
    this.printed.add(line);
  }

  /** A word on what the person just did. */
  tell(line: string): void {
    if (this.view) this.view.notify(line);
    else writeErr(this.options.io, line);
  }

  show(fact: Fact): void {
    this.changed({ fact });
    if (!this.drawsView) this.print(fact);
  }

  /** More of an answer that an agent's model is giving. */
  showDelta(agent: AgentId, delta: string): void {
    this.changed({ agent, delta });
  }

  /**
   * Follows a run to its end, or to the point where it is left. Ctrl-C once saves it, twice ends at once; where the
   * person detaches or the terminal is closed, the run goes on in the background.
   */
  async follow(live: LiveRun, guard: StartGuard): Promise<number> {
    const [first] = live.branches;
    if (!first) throw new TypeError("a run at work has one branch at least");
    const run = { id: live.id, folder: runFolder(this.options.project.state, live.id).path };
    this.live = live;
    for (const line of this.warnings) live.note(line);
    const handOver = new HandOver(live, run, this.options);
    const watched: Watched = {
      state: () => first.state,
      ledger: () => live.ledger(),
      facts: () => first.facts(),
      run,
      branch: first.name,
      isAttached: false,
      ...makeInterrupter(live, (line) => this.tell(line)),
      detach: handOver.ask,
    };
    // Not `once`: a signal that nobody listens to any more is taken for the end by those who tidy the terminal.
    if (this.options.io.isTty.stderr) process.on("SIGHUP", handOver.ask);
    try {
      const end = await this.watch(watched, () => live.done, guard);
      return await (handOver.isDue(end) ? handOver.complete() : conclude(live.id, end, this.options));
    } finally {
      process.off("SIGHUP", handOver.ask);
    }
  }

  /** Shows a run while `work` lasts. Signals, and Ctrl-C in the view, go to its `interrupt`, as does one that came before. */
  async watch<T>(watched: Watched, work: () => Promise<T>, guard: StartGuard): Promise<T> {
    const { io } = this.options;
    const onInt = (): void => watched.interrupt("SIGINT", ExitCode.interrupted);
    const onTerm = (): void => watched.interrupt("SIGTERM", ExitCode.terminated);
    process.on("SIGINT", onInt);
    process.on("SIGTERM", onTerm);
    const forget = watched.save && saveOnLostOutput(watched.save);
    const asked = guard.release();
    if (asked) watched.interrupt(asked.name, asked.exitCode);
    for (const [id, agent] of watched.state().agents) this.names.set(id, agent.spec.name);
    if (this.drawsView) this.view = await this.mountView(watched, onInt);
    try {
      return await work();
    } finally {
      await this.view?.unmount();
      this.view = undefined;
      forget?.();
      process.off("SIGINT", onInt);
      process.off("SIGTERM", onTerm);
      if (this.drawsView) for (const line of this.warnings) writeErr(io, plainBlock(line));
    }
  }

  private changed(change: Change): void {
    for (const onChange of this.onChange) onChange(change);
  }

  private async mountView(watched: Watched, onInterrupt: () => void): Promise<RunView> {
    const { loadView } = await import("./view/load-view.ts");
    const { mountRunView } = await loadView();
    const { askForKey } = await import("./view/run-controls.ts");
    const { io, project } = this.options;
    const { state, ledger, facts, run, branch, isAttached, detach } = watched;
    const subscribe = (onChange: (change: Change) => void): (() => void) => {
      this.onChange.add(onChange);
      return () => this.onChange.delete(onChange);
    };
    const act = async (command: KeyCommand): Promise<Notice | undefined> => {
      if (command.do === "interrupt") onInterrupt();
      else if (command.do === "detach") {
        detach?.();
        return { text: "Leaving the run at work ...", tone: "strong" };
      } else return askForKey(command, branch, folderOf(run));
      return undefined;
    };
    const source = { state, ledger, facts, subscribe, said: () => [...this.warnings], progress: () => this.doing };
    const hypo = hypoFor(project, io.cwd);
    return mountRunView({ source, io, now: () => io.now(), hypo, abilities: { isAttached, canDetach: detach !== undefined }, act });
  }
}

/** A second interruption ends the process; that output is lost is none, and may come of the same Ctrl-C. */
function makeInterrupter(live: LiveRun, tell: (line: string) => void): Required<Pick<Watched, "interrupt" | "save">> {
  let asked = false;
  const leave = (name: string, exitCode: number): void => {
    live.interrupt(name, exitCode);
    setTimeout(() => process.exit(exitCode), 5000).unref();
  };
  return {
    interrupt: (name, exitCode) => {
      if (asked) process.exit(exitCode);
      asked = true;
      tell("Saving the run (again to end at once) ...");
      leave(name, exitCode);
    },
    save: () => {
      if (!asked) leave("SIGTERM", ExitCode.terminated);
    },
  };
}
