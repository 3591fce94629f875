import type { ExecutionStatus } from "./experiment.ts";

/** Endings that say nothing of the plan: it did not run, or was ended by something outside it. */
const UNDECIDED = new Set<ExecutionStatus>(["docker_unavailable", "image_unavailable", "interrupted", "cancelled"]);

/** Whether an execution that ended so is the one that decides: it ran on its own account, whatever came of it. */
export function isDeciding(status: ExecutionStatus): boolean {
  return !UNDECIDED.has(status);
}

/** The execution that an experiment is shown by: the one that decides, or, as long as none does, the latest. */
export function standingExecution<T extends { status: ExecutionStatus | "unfinished" }>(executions: readonly T[]): T | undefined {
  return executions.find(({ status }) => status !== "unfinished" && isDeciding(status)) ?? executions.at(-1);
}
