import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { ExitCode, HypoError } from "../domain/errors.ts";
import type { Fact } from "../domain/events.ts";
import type { LiveRun, RunEnd } from "../engine/live-run.ts";
import { runFolder } from "../engine/run-folder.ts";
import { openGate } from "../engine/state/run-state.ts";
import { writeErr, writeOut, type Io } from "./io.ts";
import { plainBlock } from "./output/plain-text.ts";
import type { Project } from "./project/project.ts";
import { makeFactPrinter } from "./progress/print-facts.ts";

export interface FollowOptions {
  json: boolean;
  project: Project;
  io: Io;
}

/** How progress is shown: facts as JSON lines, a live view, or a line a step. */
export class RunFollower {
  private readonly options: FollowOptions;
  private readonly print: (fact: Fact) => void;
  private readonly onChange = new Set<() => void>();
  private readonly warnings: string[] = [];

  constructor(options: FollowOptions) {
    this.options = options;
    this.print = makeFactPrinter(options.io, options);
  }

  /** True when a live view draws on the terminal, so that nothing else may be written to it. */
  get drawsView(): boolean {
    const { io, json } = this.options;
    return !json && io.isTty.stderr && io.env["TERM"] !== "dumb" && io.env["CI"] === undefined;
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
    const { io } = this.options;
    const interrupt = makeInterrupter(live, io);
    const onInt = (): void => interrupt("SIGINT", ExitCode.interrupted);
    const onTerm = (): void => interrupt("SIGTERM", ExitCode.terminated);
    process.on("SIGINT", onInt);
    process.on("SIGTERM", onTerm);
    const view = this.drawsView ? await this.mountView(live, onInt) : undefined;
    try {
      const end = await live.done;
      await view?.unmount();
      for (const line of new Set(this.warnings)) writeErr(io, plainBlock(line));
      return await this.conclude(live, end);
    } finally {
      await view?.unmount();
      process.off("SIGINT", onInt);
      process.off("SIGTERM", onTerm);
    }
  }

  private async mountView(live: LiveRun, onInterrupt: () => void) {
    const { mountRunView } = await import("./view/run-view.tsx");
    const { io } = this.options;
    const subscribe = (change: () => void): (() => void) => {
      this.onChange.add(change);
      return () => this.onChange.delete(change);
    };
    const source = { state: () => live.state(), ledger: () => live.ledger(), subscribe };
    return mountRunView({ source, io, now: () => io.now(), onInterrupt });
  }

  private async conclude(live: LiveRun, end: RunEnd): Promise<number> {
    const { io, json, project } = this.options;
    const resume = `hypo resume ${live.id}`;
    if (end.left) throwFailure(end.left, resume);
    const report = runFolder(project.state, live.id).report("main").markdown;
    if (end.finished && !json) writeOut(io, shownPart(await readFile(report, "utf8"), io.isTty.stdout));
    if (!json) writeErr(io, `Report: ${relative(io.cwd, report)}`);
    const gate = openGate(live.state());
    if (end.left?.why === "gate" && gate) {
      const output = gate.options[0] ? ` --output '${JSON.stringify(gate.options[0].value)}'` : ` --output '"..."'`;
      const options = gate.options.map((option) => `  ${JSON.stringify(option.value)}: ${option.label}`);
      writeErr(io, plainBlock([`The run waits for your decision: ${gate.prompt}`, ...options].join("\n")));
      writeErr(io, `Answer it with: hypo respond ${live.id} ${gate.seq} --event ANSWER${output}\nThen go on with: ${resume}`);
    } else if (end.left) writeErr(io, `The run is saved. Go on with: ${resume}`);
    else if (end.exitCode === ExitCode.noAnswer)
      writeErr(io, `The run ended without an answer: ${end.finished?.reason ?? ""}: ${end.finished?.detail ?? ""}.`);
    return end.exitCode;
  }
}

function makeInterrupter(live: LiveRun, io: Io): (name: string, exitCode: number) => void {
  let asked = false;
  return (name, exitCode) => {
    if (asked) process.exit(exitCode);
    asked = true;
    writeErr(io, `Saving the run (again to end at once) ...`);
    live.interrupt(name, exitCode);
    setTimeout(() => process.exit(exitCode), 5000).unref();
  };
}

/** Failures that ended this process's work are errors; everything recorded is kept. */
function throwFailure({ why, detail, error }: NonNullable<RunEnd["left"]>, resume: string): void {
  const again = `Nothing that was recorded is lost. Go on with: ${resume}`;
  if (why === "credentials")
    throw new HypoError("credentials_refused", `The model's provider refused the credentials: ${detail}`, {
      hint: `Log in again with \`pi\` and \`/login\`. ${again}`,
    });
  if (why === "model") throw new HypoError("model_unavailable", `The model could not be asked: ${detail}`, { hint: again });
  if (why !== "failed") return;
  if (error instanceof HypoError)
    throw new HypoError(error.code, error.message, { hint: `${error.hint ?? ""} ${again}`.trim(), cause: error });
  throw error;
}

/** At a terminal the opening of a report; elsewhere all of it. */
function shownPart(report: string, isTerminal: boolean): string {
  if (!isTerminal) return report;
  const second = report.indexOf("\n## ", report.indexOf("\n## ") + 1);
  return plainBlock(second === -1 ? report : report.slice(0, second));
}
