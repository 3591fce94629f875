import type Docker from "dockerode";
import { HypoError } from "../domain/errors.ts";
import type { CallId, RunId } from "../domain/ids.ts";
import type { Clock, Criteria } from "../domain/ports.ts";
import { folderLabel, isReplay, LABEL, matchesExecution, type LabelledExecution } from "./labels.ts";
import { canBeSalvaged, isAbandoned, isOverdue, listLeftovers, type Leftover } from "./leftovers.ts";
import { collectEnding } from "./ending.ts";
import { statusOf } from "./engine.ts";
import { recoverOutput } from "./output.ts";
import { removePair } from "./pair.ts";
import { endWith } from "./results.ts";
import type { ExperimentStore } from "./store.ts";

export interface ReaperTools {
  docker: Docker;
  clock: Clock;
  store: ExperimentStore;
  criteria: Criteria;
}

/**
 * Removes the containers and volumes of processes that died, by their labels. A payload that ended although hypo died
 * before it could store the result has done its work: its result is stored first, so that it need not run twice.
 */
export class Reaper {
  private readonly tools: ReaperTools;
  private readonly running = new Set<string>();
  /** Pairs of this process that the engine could not remove when they had done their work. */
  private readonly unremoved = new Set<string>();
  private readonly clearing = new Map<string, Promise<void>>();
  private first: Promise<void> | undefined;
  private underWay: Promise<void> | undefined;

  constructor(tools: ReaperTools) {
    this.tools = tools;
  }

  /** Leaves a pair of this process alone, whatever its deadline says. */
  protect(pair: string): void {
    this.running.add(pair);
  }

  /** Removes a pair of this process that has done its work; what cannot be removed now goes with a later one. */
  async release(pair: string): Promise<void> {
    if (!(await removePair(this.tools.docker, pair, this.tools.clock))) this.unremoved.add(pair);
    this.running.delete(pair);
  }

  /** Reaps at the first use of the engine, and never again by this call. */
  async reapOnce(): Promise<void> {
    this.first ??= this.reap().catch(() => undefined);
    await this.first;
  }

  /** Removes what nobody waits for any more; those who ask while that is under way wait for the same. */
  async reap(): Promise<void> {
    this.underWay ??= this.reapNow().finally(() => (this.underWay = undefined));
    return this.underWay;
  }

  private async reapNow(): Promise<void> {
    const now = this.tools.clock.now();
    const all = await listLeftovers(this.tools.docker, this.tools.clock);
    const isLeft = ({ pair, labels }: Leftover): boolean => this.unremoved.has(pair) || isAbandoned(labels, now);
    const abandoned = all.filter((leftover) => !this.running.has(leftover.pair) && isLeft(leftover));
    for (const pair of this.unremoved) if (!all.some((leftover) => leftover.pair === pair)) this.unremoved.delete(pair);
    await this.clearAll(abandoned.filter((leftover) => !this.belongsElsewhere(leftover, now)));
  }

  /** Brings an execution of a dead process to its end: salvages its result if there is one, and removes the rest. */
  async settle(execution: LabelledExecution): Promise<void> {
    const all = await listLeftovers(this.tools.docker, this.tools.clock, execution.run);
    const ours = all.filter(({ pair, labels }) => !this.running.has(pair) && matchesExecution(labels, execution));
    await this.clearAll(ours);
  }

  /** Removes what a run, or one call of it, has on the engine, finished or not. */
  async abandon(run: RunId, call?: CallId): Promise<void> {
    const all = await listLeftovers(this.tools.docker, this.tools.clock, run);
    const chosen = all.filter(({ labels }) => call === undefined || labels[LABEL.call] === call);
    await Promise.all(chosen.map(({ pair }) => removePair(this.tools.docker, pair, this.tools.clock)));
  }

  /** A finished payload of another project is left for that project to salvage, until its deadline. */
  private belongsElsewhere(leftover: Leftover, now: Date): boolean {
    const foreign = leftover.labels[LABEL.folder] !== folderLabel(this.tools.store.folder);
    return foreign && canBeSalvaged(leftover) && !isOverdue(leftover.labels, now);
  }

  /** Once for a pair at a time: those who ask while that is under way wait for the same. */
  private async clear(leftover: Leftover): Promise<void> {
    const { pair } = leftover;
    const underWay = this.clearing.get(pair) ?? this.clearNow(leftover).finally(() => this.clearing.delete(pair));
    this.clearing.set(pair, underWay);
    return underWay;
  }

  /** Clears all of them, whatever comes of each, and then fails as the first that failed. */
  private async clearAll(leftovers: Leftover[]): Promise<void> {
    const each = leftovers.map((leftover) => this.clear(leftover));
    await Promise.allSettled(each);
    await Promise.all(each);
  }

  private async clearNow(leftover: Leftover): Promise<void> {
    const isOurs = leftover.labels[LABEL.folder] === folderLabel(this.tools.store.folder);
    const isLate = isOverdue(leftover.labels, this.tools.clock.now());
    if (canBeSalvaged(leftover) && isOurs) await this.salvage(leftover).catch((error: unknown) => giveUpOrThrow(error, isLate));
    await removePair(this.tools.docker, leftover.pair, this.tools.clock);
  }

  private async salvage({ labels, payload, keeper }: Leftover): Promise<void> {
    const { docker, clock, store, criteria } = this.tools;
    const experiment = labels[LABEL.experiment];
    const execution = Number(labels[LABEL.execution]);
    if (experiment === undefined || payload === undefined || keeper === undefined || isReplay(labels)) return;
    const [stored, started, plan] = await Promise.all([
      store.result(experiment, execution),
      store.started(experiment, execution),
      store.plan(experiment),
    ]);
    if (stored !== undefined || started === undefined || plan === undefined) return;
    const keep = (path: string, bytes: Uint8Array): Promise<void> => store.keepArtifact(experiment, execution, path, bytes);
    const found = await collectEnding(
      { docker, clock, keep, bytesMax: plan.limits.output_mb * 1024 * 1024 },
      docker.getContainer(payload.id),
      docker.getContainer(keeper.id),
    );
    // A kill may have been hypo's own, for a reason that died with it.
    const lost = found.lost ?? (found.killed ? "hypo ended while it was being stopped" : undefined);
    // Nobody was there to end it at its limit, which may be lower than the plan's.
    const seconds = Number(started.environment["limit_seconds"] ?? plan.limits.seconds);
    const interference = found.ranMs > seconds * 1000 ? "timed_out" : undefined;
    const output = recoverOutput(await store.keptLogs(experiment, execution));
    const result = endWith(started, { ...found, lost, interference }, output, { plan, criteria }, clock.now());
    const limits_hit = output === undefined ? [...result.limits_hit, UNHEARD] : result.limits_hit;
    await store.finish({ ...result, limits_hit }, undefined);
  }
}

const UNHEARD = "logs: hypo ended before its output was stored";

/**
 * Where there is nothing left to salvage, or no time left for it, what there is can be removed. Else it stays for as long as
 * its keeper does: an engine that fails once, or a full disk here, must not cost a finished result.
 */
function giveUpOrThrow(error: unknown, isLate: boolean): void {
  const isOfStorage = error instanceof HypoError && error.code === "storage_failed";
  if (isOfStorage || (statusOf(error) !== 404 && !isLate)) throw error;
}
