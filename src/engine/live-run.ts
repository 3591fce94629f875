import { ExitCode } from "../domain/errors.ts";
import type { RunId } from "../domain/ids.ts";
import type { ControlDesk } from "./control/control-desk.ts";
import type { Journal } from "./journal/journal.ts";
import type { BranchEnd, LiveBranch } from "./live-branch.ts";
import { RunProjection } from "./projection/run-projection.ts";
import { writeSnapshot } from "./projection/snapshot.ts";
import type { RunFolder } from "./run-folder.ts";
import type { RunStatus } from "./run-status.ts";
import type { Ledger } from "./state/ledger.ts";

/** How a process left a run: one end for each of its branches, and the exit code that says most. */
export interface RunEnd {
  exitCode: number;
  branches: { branch: LiveBranch; end: BranchEnd }[];
}

export interface LiveRunParts {
  id: RunId;
  folder: RunFolder;
  branches: readonly LiveBranch[];
  journal: Journal;
  ledger: Ledger;
  status: RunStatus;
  desk: ControlDesk;
  /** Resolves when the run's files are in place. */
  begun: Promise<void>;
}

const TICK_MS = 200;
/** Shorter journals are read in a moment. */
const WORTH_A_SNAPSHOT = 5000;

/** A run at work in this process: one branch or several, with one journal, one ledger and one governor. */
export class LiveRun {
  readonly id: RunId;
  readonly branches: readonly LiveBranch[];
  readonly done: Promise<RunEnd>;
  private readonly parts: LiveRunParts;

  constructor(parts: LiveRunParts) {
    this.parts = parts;
    this.id = parts.id;
    this.branches = parts.branches;
    this.done = parts.begun.then(() => this.work());
  }

  /** What all branches have spent together. */
  ledger(): Ledger {
    return this.parts.ledger;
  }

  /** Has a line reach those who watch the run from other processes. */
  note(line: string): void {
    this.parts.status.note(line);
  }

  /** Leaves all branches at a checkpoint, to be resumed. */
  interrupt(name: string, exitCode: number): void {
    void this.parts.status.set("stopping").catch(() => undefined);
    for (const branch of this.branches) branch.interrupt(name, exitCode);
  }

  private async work(): Promise<RunEnd> {
    const { desk, journal, status } = this.parts;
    const ticks = setInterval(() => this.checkTimes(), TICK_MS);
    // Messages that an earlier process left are for agents that have to be at work again.
    await Promise.all(this.branches.map((branch) => branch.started));
    desk.open();
    const atWork = new Set(this.branches);
    const ends = await Promise.all(
      this.branches.map(async (branch) => {
        const end = await branch.done;
        atWork.delete(branch);
        if (atWork.size > 0) await status.setBranches([...atWork].map(({ name }) => name)).catch(() => undefined);
        return { branch, end };
      }),
    );
    clearInterval(ticks);
    await desk.close();
    const exitCode = worstOf(ends.map(({ end }) => end.exitCode));
    const error = ends.find(({ end }) => end.left?.error !== undefined)?.end.left?.error;
    await this.keepSnapshot();
    await status.close(stateAfter(ends), exitCode, error);
    await journal.close().catch(() => undefined);
    return { exitCode, branches: ends };
  }

  private checkTimes(): void {
    for (const branch of this.branches) branch.checkTime();
  }

  /** For those who look at a long run later. A disk that cannot be written to has been reported before. */
  private async keepSnapshot(): Promise<void> {
    const { folder, id, journal, ledger } = this.parts;
    if (journal.place.lineage.last < WORTH_A_SNAPSHOT) return;
    const states = new Map(this.branches.map(({ name, state }) => [name, state]));
    await journal
      .flush()
      .then(() => writeSnapshot(folder.path, id, journal.place, new RunProjection(states, ledger)))
      .catch(() => undefined);
  }
}

/** What a person has to act on comes first. */
const BY_URGENCY: readonly number[] = [
  ExitCode.credentials,
  ExitCode.failed,
  ExitCode.terminated,
  ExitCode.interrupted,
  ExitCode.waiting,
  ExitCode.noAnswer,
];

function worstOf(codes: readonly number[]): number {
  return BY_URGENCY.find((code) => codes.includes(code)) ?? codes.find((code) => code !== ExitCode.ok) ?? ExitCode.ok;
}

function stateAfter(ends: RunEnd["branches"]): "complete" | "failed" | "stopped" {
  if (ends.some(({ end }) => end.left?.why === "failed" || end.finished?.state === "failed")) return "failed";
  return ends.every(({ end }) => end.finished) ? "complete" : "stopped";
}
