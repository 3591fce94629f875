import { ExitCode, HypoError, messageOf } from "../domain/errors.ts";
import type { Fact, StopReason } from "../domain/events.ts";
import { ROOT_AGENT } from "../domain/ids.ts";
import { undeliveredTo } from "./agent/agent-message.ts";
import type { AgentTree } from "./agent/agent-tree.ts";
import type { AgentWorker } from "./agent/agent-worker.ts";
import { isResumable, type Stop } from "./decide/stop.ts";
import { ModelCallError } from "./governor.ts";
import { makeReport, writeInterimReport } from "./report-phase.ts";
import type { RunContext } from "./run-context.ts";
import { event } from "./run-log.ts";
import { workedUntil, type GateRecord, type RunState } from "./state/run-state.ts";
import { saveConclusions } from "./save-conclusions.ts";
import { supervise } from "./supervise.ts";

/** How a process left a branch: over, or to be resumed. */
export interface BranchEnd {
  exitCode: number;
  /** Undefined while it can be resumed. */
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

/** A branch of a run at work in this process: from its first step to its report, or to where it is left for later. */
export class LiveBranch {
  readonly name: string;
  /** Resolves when its unfinished agents are at work, or when that has failed. */
  readonly started: Promise<void>;
  /** Never rejects. */
  readonly done: Promise<BranchEnd>;
  private readonly run: RunContext;
  private halt: Halt | undefined;
  private root: AgentWorker | undefined;

  constructor(run: RunContext, begin: Promise<void>) {
    this.name = run.branch;
    this.run = run;
    const root = begin.then(() => this.run.tree.openRoot(ROOT_AGENT));
    this.started = root.then(
      () => undefined,
      () => undefined,
    );
    this.done = this.drive(root);
  }

  get state(): RunState {
    return this.run.log.state;
  }

  /** Its facts so far that are durable, oldest first. */
  facts(): AsyncIterable<Fact> {
    return this.run.log.ancestry();
  }

  get tree(): AgentTree {
    return this.run.tree;
  }

  /** Leaves the branch at a checkpoint, to be resumed. */
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

  /** No agent asks a model from now on, and no time is counted, until `unpause`. False where it was paused already. */
  async pause(): Promise<boolean> {
    if (!this.run.governor.pauses.pause(this.name)) return false;
    await this.run.log.record(event("run_paused", { reason: "a person paused it" }));
    return true;
  }

  /** False where it was not paused. */
  async unpause(): Promise<boolean> {
    if (!this.run.governor.pauses.isPaused(this.name)) return false;
    await this.run.log.record(event("run_resumed", { reason: "a person let it go on", changes: [] }));
    return this.run.governor.pauses.release(this.name);
  }

  /** Ends what has used up its working time: agents, or the branch itself. To be called a few times a second. */
  checkTime(): void {
    const { log, clock } = this.run;
    const worked = workedUntil(log.state.clock, clock.now().getTime());
    const { hours } = log.state.budget;
    if (worked >= hours * 3_600_000) this.stop({ reason: "wall_time", detail: `${hours} hours of work are over (budget hours)` });
    else this.tree.checkTime(worked);
  }

  private stopWork(halt: Halt): void {
    if (this.halt) return;
    this.halt = halt;
    this.root?.cut(halt.kind === "stop" ? { outcome: "cancelled", reason: halt.stop.reason } : { suspended: true });
    if (halt.kind !== "stop") void this.run.tree.suspend().catch(() => undefined);
  }

  private async drive(root: Promise<AgentWorker>): Promise<BranchEnd> {
    try {
      this.root = await root;
      return await this.work(this.root);
    } catch (error) {
      this.fail(error);
      return this.leave();
    }
  }

  private async work(root: AgentWorker): Promise<BranchEnd> {
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

  private async finish(stop: Stop): Promise<BranchEnd> {
    const { log } = this.run;
    const answered = log.state.report?.answered ?? false;
    const state = STOPPED.has(stop.reason) ? "stopped" : stop.reason === "internal_error" ? "failed" : "completed";
    const unread = undeliveredTo(ROOT_AGENT, this.root?.closeMailbox() ?? []);
    await saveConclusions(this.run);
    await log.record(...unread, event("run_finished", { state, reason: stop.reason, detail: stop.detail, answered }));
    const exitCode = state === "failed" ? ExitCode.failed : answered ? ExitCode.ok : ExitCode.noAnswer;
    return { exitCode, finished: log.state.finish };
  }

  /** Leaves the run because its model cannot be asked: nothing is lost, and resuming asks again. */
  private async leaveFor(stop: Stop): Promise<BranchEnd> {
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

  private async leave(): Promise<BranchEnd> {
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

  private async leaveFailed(error: unknown): Promise<BranchEnd> {
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
}
