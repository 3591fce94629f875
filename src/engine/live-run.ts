import { ExitCode, HypoError, messageOf } from "../domain/errors.ts";
import type { Fact, StopReason } from "../domain/events.ts";
import { ROOT_AGENT, type RunId } from "../domain/ids.ts";
import type { AgentWorker } from "./agent/agent-worker.ts";
import { isResumable, type Stop } from "./decide/stop.ts";
import { ModelCallError } from "./governor.ts";
import type { Journal } from "./journal/journal.ts";
import { makeReport, writeInterimReport } from "./report-phase.ts";
import type { RunContext } from "./run-context.ts";
import { event } from "./run-log.ts";
import type { RunStatus } from "./run-status.ts";
import type { Ledger } from "./state/ledger.ts";
import { workedUntil, type GateRecord, type RunState } from "./state/run-state.ts";
import { saveConclusions } from "./save-conclusions.ts";
import { supervise } from "./supervise.ts";

/** How a process left a run: over, or to be resumed. */
export interface RunEnd {
  exitCode: number;
  /** Undefined while the run can be resumed. */
  finished: RunState["finish"];
  /** Why it was left unfinished. */
  left?: { why: "interrupted" | "gate" | "credentials" | "model" | "failed"; detail: string; error?: unknown } | undefined;
}

type Halt =
  | { kind: "signal"; exitCode: number; name: string }
  | { kind: "gate"; gate: GateRecord }
  | { kind: "failure"; error: unknown }
  | { kind: "stop"; stop: Stop };

const STOPPED = new Set<StopReason>(["budget_exhausted", "wall_time", "cancelled", "user_decision_required"]);

/** A run at work in this process: from its first step to its report, or to the point where it is left for later. */
export class LiveRun {
  readonly id: RunId;
  readonly done: Promise<RunEnd>;
  private readonly run: RunContext;
  private readonly journal: Journal;
  private readonly status: RunStatus;
  private halt: Halt | undefined;
  private root: AgentWorker | undefined;
  private wallClock: NodeJS.Timeout | undefined;

  constructor(run: RunContext, journal: Journal, status: RunStatus, begin: Promise<void>) {
    this.id = run.id;
    this.run = run;
    this.journal = journal;
    this.status = status;
    this.done = begin.then(() => this.drive());
  }

  state(): RunState {
    return this.run.log.state;
  }

  ledger(): Ledger {
    return this.run.log.ledger;
  }

  subscribe(listener: (fact: Fact) => void): () => void {
    return this.run.log.subscribe(listener);
  }

  /** Leaves the run at a checkpoint, to be resumed. */
  interrupt(name: string, exitCode: number): void {
    this.stopWork({ kind: "signal", exitCode, name });
  }

  /** A gate waits for a person who is not here. */
  leaveAtGate(gate: GateRecord): void {
    this.stopWork({ kind: "gate", gate });
  }

  stop(stop: Stop): void {
    this.stopWork({ kind: "stop", stop });
  }

  /** Something outside the research failed: the disk, the journal, the credentials. */
  fail(error: unknown): void {
    this.stopWork({ kind: "failure", error });
  }

  private stopWork(halt: Halt): void {
    if (this.halt) return;
    this.halt = halt;
    this.root?.cut(halt.kind === "stop" ? { outcome: "cancelled", reason: halt.stop.reason } : { suspended: true });
    if (halt.kind !== "stop") void this.run.tree.suspend().catch(() => undefined);
  }

  private async drive(): Promise<RunEnd> {
    this.root = this.run.tree.openRoot(ROOT_AGENT);
    this.limitTime();
    let end: RunEnd;
    try {
      end = await this.work(this.root);
    } catch (error) {
      this.fail(error);
      end = await this.leave();
    }
    clearTimeout(this.wallClock);
    const state = end.finished
      ? end.finished.state === "failed"
        ? "failed"
        : "complete"
      : end.left?.why === "failed"
        ? "failed"
        : "stopped";
    await this.status.close(state, end.exitCode, end.left?.error);
    await this.journal.close().catch(() => undefined);
    return end;
  }

  private async work(root: AgentWorker): Promise<RunEnd> {
    const { run } = this;
    if (this.halt) root.cut({ suspended: true });
    let stop = await supervise(run, root);
    if (this.halt?.kind === "stop") stop = await this.recordStop(this.halt.stop);
    else if (this.halt || !stop) return this.leave();
    if (isResumable(stop)) return this.leaveFor(stop);
    run.crashAt("run.stopping");
    for (const child of run.log.state.agents.get(ROOT_AGENT)?.children ?? []) await run.tree.cancel(child, "the run is coming to its end");
    await makeReport(run, root, stop);
    if (this.halt && this.halt.kind !== "stop") return this.leave();
    run.crashAt("report.recorded");
    await root.close();
    return this.finish(stop);
  }

  private async recordStop(stop: Stop): Promise<Stop> {
    if (!this.run.log.state.stopping) await this.run.log.record(event("run_stopping", stop));
    return this.run.log.state.stopping ?? stop;
  }

  private async finish(stop: Stop): Promise<RunEnd> {
    const { log } = this.run;
    const answered = log.state.report?.answered ?? false;
    const state = STOPPED.has(stop.reason) ? "stopped" : stop.reason === "internal_error" ? "failed" : "completed";
    await saveConclusions(this.run, this.journal.ancestry(this.run.branch));
    await log.record(event("run_finished", { state, reason: stop.reason, detail: stop.detail, answered }));
    const exitCode = state === "failed" ? ExitCode.failed : answered ? ExitCode.ok : ExitCode.noAnswer;
    return { exitCode, finished: log.state.finish };
  }

  /** Leaves the run because its model cannot be asked: nothing is lost, and resuming asks again. */
  private async leaveFor(stop: Stop): Promise<RunEnd> {
    const { run } = this;
    await this.suspend();
    await run.log.record(event("run_paused", { reason: `${stop.reason}: ${stop.detail}` }));
    await writeInterimReport(run, stop);
    const why = stop.reason === "credentials_refused" ? "credentials" : "model";
    return {
      exitCode: why === "credentials" ? ExitCode.credentials : ExitCode.failed,
      finished: undefined,
      left: { why, detail: stop.detail },
    };
  }

  private async leave(): Promise<RunEnd> {
    const halt = this.halt ?? { kind: "failure", error: new HypoError("internal", "the supervisor ended without a reason") };
    await this.suspend();
    if (halt.kind === "failure") return this.leaveFailed(halt.error);
    if (halt.kind === "stop") return this.finish(halt.stop);
    const isGate = halt.kind === "gate";
    const detail = isGate ? halt.gate.prompt : halt.name;
    await this.run.log.record(event("run_paused", { reason: isGate ? "waiting for a person" : detail }));
    await writeInterimReport(this.run, { reason: isGate ? "user_decision_required" : "cancelled", detail });
    return {
      exitCode: isGate ? ExitCode.waiting : halt.exitCode,
      finished: undefined,
      left: { why: isGate ? "gate" : "interrupted", detail },
    };
  }

  private async leaveFailed(error: unknown): Promise<RunEnd> {
    if (error instanceof ModelCallError)
      return this.leaveFor({ reason: error.reason === "aborted" ? "model_unavailable" : error.reason, detail: error.message });
    const exitCode = error instanceof HypoError ? error.exitCode : ExitCode.failed;
    if (!(error instanceof HypoError && error.code === "storage_failed")) {
      await this.run.log.record(event("run_paused", { reason: messageOf(error).slice(0, 500) })).catch(() => undefined);
    }
    return { exitCode, finished: undefined, left: { why: "failed", detail: messageOf(error), error } };
  }

  private async suspend(): Promise<void> {
    this.root?.cut({ suspended: true });
    await this.run.tree.suspend();
    await this.root?.close();
  }

  private limitTime(): void {
    const { log, clock } = this.run;
    const left = log.state.budget.hours * 3_600_000 - workedUntil(log.state.clock, clock.now().getTime());
    const detail = `${log.state.budget.hours} hours of work are over (budget hours)`;
    this.wallClock = setTimeout(() => this.stop({ reason: "wall_time", detail }), Math.min(Math.max(0, left), 2 ** 31 - 1));
  }
}
