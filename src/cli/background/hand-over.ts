import { ExitCode } from "../../domain/errors.ts";
import type { RunId } from "../../domain/ids.ts";
import type { LiveRun, RunEnd } from "../../engine/live-run.ts";
import { NO_CAPS, type OnGate, type ResumeOptions } from "../commands/options.ts";
import type { Io } from "../io.ts";
import { hypoFor } from "../project/hypo-for.ts";
import type { Project } from "../project/project.ts";
import type { RunPlace } from "../runs/find-run.ts";
import { resumeDetached, sayDetached } from "./detach.ts";

export interface HandOverOptions {
  io: Io;
  project: Project;
  json: boolean;
  debug: boolean;
  /** Pi's agent directory, where not the usual one. */
  agentDir: string | undefined;
  /** Undefined leaves it to the process at work. */
  onGate: OnGate | undefined;
}

/**
 * Hands a run at work in this process over to one in the background, when the person asks for it or the terminal is
 * closed: it is left at a checkpoint, and the other process resumes it.
 */
export class HandOver {
  private readonly live: LiveRun;
  private readonly place: RunPlace;
  private readonly options: HandOverOptions;
  private isAsked = false;

  constructor(live: LiveRun, place: RunPlace, options: HandOverOptions) {
    this.live = live;
    this.place = place;
    this.options = options;
  }

  /** Leaves the run at a checkpoint. */
  readonly ask = (): void => {
    this.isAsked = true;
    this.live.interrupt("detached", ExitCode.ok);
  };

  /** Whether the run was left for the background; false where it had ended before. */
  isDue(end: RunEnd): boolean {
    return this.isAsked && end.branches.some((each) => each.end.left?.why === "interrupted");
  }

  /** Sets the run to work in the background, and says how to come back to it. Gives the exit code. */
  async complete(): Promise<number> {
    const { io, project, json } = this.options;
    const detached = await resumeDetached(this.place, resumptionOf(this.live, this.options), { ...io, cwd: project.root });
    sayDetached(detached, { json, hypo: hypoFor(project, io.cwd) }, io);
    return ExitCode.ok;
  }
}

/** What the process in the background is asked for: what this one was, with the caps that the run has by now. */
export function resumptionOf(
  { id, branches }: { id: RunId; branches: readonly { name: string }[] },
  { json, debug, agentDir, onGate }: HandOverOptions,
): ResumeOptions {
  const common = { json, debug, agentDir, onGate };
  return { ...NO_CAPS, ...common, run: id, branches: branches.map(({ name }) => name), acceptChanges: false };
}
