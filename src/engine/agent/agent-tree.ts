import { AgentSpec } from "../../domain/agent.ts";
import { HypoError, messageOf } from "../../domain/errors.ts";
import { isAncestor, type AgentId, type CallId } from "../../domain/ids.ts";
import { writeFileAtomic } from "../../files/atomic.ts";
import { timeLeft } from "../decide/agent-time.ts";
import { decideSpawn } from "../decide/spawn.ts";
import type { AgentRecall } from "../recall.ts";
import type { RunContext } from "../run-context.ts";
import { event } from "../run-log.ts";
import { isFinished, type AgentState } from "../state/run-state.ts";
import { toolsFor } from "../tools/toolbox.ts";
import { undeliveredTo } from "./agent-message.ts";
import { AgentWorker } from "./agent-worker.ts";
import { renderSpec } from "./spec.ts";
import { workOnTask } from "./work-on-task.ts";

/** The agents that are at work in this process, and those who wait for them. */
export class AgentTree {
  private readonly run: () => RunContext;
  private readonly workers = new Map<AgentId, AgentWorker>();
  private readonly working = new Map<AgentId, Promise<void>>();
  private recalls = new Map<AgentId, AgentRecall>();
  private suspended = false;

  constructor(run: () => RunContext) {
    this.run = run;
  }

  /** Takes over what the journal holds of unfinished agents, and sets all but the root to work again. */
  resume(recalls: Map<AgentId, AgentRecall>): void {
    this.recalls = recalls;
    for (const agent of this.run().log.state.agents.values()) {
      const waitsForStart = agent.mode === "deferred" && agent.status === "spawned";
      if (agent.parent !== null && !isFinished(agent) && !waitsForStart) this.start(agent.id);
    }
  }

  /** Adds an agent, or finds the one that the same call made before a crash. Refusals say what to do instead. */
  async spawn(spec: AgentSpec, call: CallId | null, mode: AgentState["mode"]): Promise<{ agent: AgentState } | { refused: string }> {
    const { log } = this.run();
    const existing = [...log.state.agents.values()].find((agent) => call !== null && agent.call === call && agent.parent === spec.parent);
    if (existing) {
      // A crash may have come between the fact and the file.
      await this.writeSpec(existing.spec);
      return { agent: existing };
    }
    const checked = AgentSpec.safeParse(spec);
    if (!checked.success) return { refused: `The specification is not valid: ${checked.error.message}` };
    const { refused } = await log.decide(decideSpawn(log.state, { spec: checked.data, call, mode }));
    if (refused !== undefined) return { refused };
    this.run().crashAt("agent.spawned");
    await this.writeSpec(spec);
    return { agent: this.stateOf(spec.id) };
  }

  private async writeSpec(spec: AgentSpec): Promise<void> {
    const { folder, course } = this.run();
    await writeFileAtomic(folder.agentSpec(spec.id, course), renderSpec(spec));
  }

  /** The root's worker; the supervising loop drives it. */
  openRoot(id: AgentId): AgentWorker {
    const worker = this.makeWorker(id);
    this.workers.set(id, worker);
    return worker;
  }

  /** Sets a spawned agent to work. Starting one that works already changes nothing. */
  start(id: AgentId): void {
    if (this.suspended || this.working.has(id) || isFinished(this.stateOf(id))) return;
    const worker = this.makeWorker(id);
    this.workers.set(id, worker);
    const work = this.workToTheEnd(worker).finally(() => {
      this.workers.delete(id);
      this.working.delete(id);
      this.recalls.delete(id);
    });
    this.working.set(id, work);
  }

  /** Resolves with an agent's final state, starting it where nobody has. Rejects when the signal aborts first. */
  async waitFor(id: AgentId, signal: AbortSignal): Promise<AgentState> {
    this.start(id);
    const work = this.working.get(id);
    if (work) await untilAborted(work, signal);
    const agent = this.stateOf(id);
    if (!isFinished(agent)) throw new HypoError("refused", `${id} was interrupted.`);
    return agent;
  }

  unfinishedBelow(id: AgentId): AgentState[] {
    return [...this.run().log.state.agents.values()].filter((agent) => isAncestor(id, agent.id) && !isFinished(agent));
  }

  worker(id: AgentId): AgentWorker | undefined {
    return this.workers.get(id);
  }

  /** Ends an agent and everything below it, and waits until nothing of it is at work. Gives those that did not end by themselves. */
  async cancel(id: AgentId, reason: string): Promise<AgentId[]> {
    const ids = [...this.unfinishedBelow(id).map((agent) => agent.id), id].filter((each) => !isFinished(this.stateOf(each)));
    for (const each of ids) this.workers.get(each)?.cut({ outcome: "cancelled", reason });
    const { log } = this.run();
    await Promise.all(
      ids.map(async (each) => {
        await this.working.get(each);
        if (!isFinished(this.stateOf(each)))
          await log.record(event("agent_finished", { agent: each, outcome: "cancelled", result: "", reason }));
      }),
    );
    return ids.filter((each) => this.stateOf(each).status === "cancelled");
  }

  /** Ends the agents whose time is over. @param worked milliseconds that the branch has worked */
  checkTime(worked: number): void {
    const { state } = this.run().log;
    const reason = `its ${state.limits.agent_minutes} minutes are over (limit agent_minutes)`;
    for (const id of this.working.keys()) {
      if (timeLeft(state, id, worked) <= 0) this.workers.get(id)?.cut({ outcome: "timed_out", reason });
    }
  }

  /** Stops all work without ending any agent: a resumed run goes on where it was. */
  async suspend(): Promise<void> {
    this.suspended = true;
    for (const worker of this.workers.values()) worker.cut({ suspended: true });
    await Promise.all(this.working.values());
  }

  private makeWorker(id: AgentId): AgentWorker {
    return new AgentWorker(this.run(), id, toolsFor(this.stateOf(id).spec), this.recalls.get(id));
  }

  private stateOf(id: AgentId): AgentState {
    const agent = this.run().log.state.agents.get(id);
    if (!agent) throw new HypoError("not_found", `There is no agent ${id}.`, { hint: "agent_control list shows the agents." });
    return agent;
  }

  private async workToTheEnd(worker: AgentWorker): Promise<void> {
    const run = this.run();
    let end: { outcome: Exclude<AgentState["status"], "spawned" | "running">; result: string; reason?: string };
    try {
      end = await workOnTask(run, worker);
    } catch (error) {
      if (error instanceof HypoError && error.code === "storage_failed") {
        run.fail(error);
        return;
      }
      end = { outcome: "failed", result: "", reason: messageOf(error) };
    }
    const isSuspended = worker.ending !== undefined && "suspended" in worker.ending;
    const unread = isSuspended ? [] : undeliveredTo(worker.id, worker.closeMailbox());
    await worker.close().catch((error: unknown) => run.fail(error));
    if (isSuspended) return;
    try {
      await this.endChildren(worker.id);
      await run.log.record(...unread, event("agent_finished", { agent: worker.id, ...end }));
    } catch (error) {
      run.fail(error);
    }
  }

  private async endChildren(id: AgentId): Promise<void> {
    const children = this.stateOf(id).children.filter((child) => !isFinished(this.stateOf(child)));
    await Promise.all(children.map((child) => this.cancel(child, `its parent ${id} has ended`)));
  }
}

async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new HypoError("refused", "The wait was ended.");
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(new HypoError("refused", "The wait was ended."));
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
