import { describe, expect, it } from "vitest";
import type { ExecutionStatus } from "../../../src/domain/experiment.ts";
import type { Fact } from "../../../src/domain/events.ts";
import { isConfirmatory, nextExecution } from "../../../src/engine/decide/experiment.ts";
import { emptyLedger, evolveLedger } from "../../../src/engine/state/ledger.ts";

/** The ledger after executions of x-1 that ended so, each on a branch of its own. */
function ledgerAfter(...statuses: ExecutionStatus[]) {
  const ledger = emptyLedger();
  statuses.forEach((status, index) => {
    const place = { v: 1, at: "2026-01-01T00:00:00.000Z", seq: 2 * index + 1, parent: 0, branch: `branch-${index}` };
    const key = { agent: "root.1", call: "c", experiment: "x-1", execution: index + 1 };
    const started: Fact = { ...place, type: "experiment_started", data: { ...key, plan_sha256: "", code_sha256: "", command: [] } };
    const end = { status, outcome: "met" as const, exit_code: 0, result_sha256: "" };
    const finished: Fact = { ...place, type: "experiment_finished", data: { ...key, ...end } };
    evolveLedger(evolveLedger(ledger, started), finished);
  });
  return ledger;
}

describe("the execution that decides", () => {
  it.each([
    ["is the first", [], true],
    ["was made once one completed, on whatever branch", ["completed"], false],
    ["was made once one failed", ["failed"], false],
    ["was made once one hit a limit", ["timed_out"], false],
    ["is still to come where there was no engine", ["docker_unavailable", "image_unavailable"], true],
    ["is still to come where hypo ended, or was left, before it did", ["interrupted", "cancelled"], true],
    ["is not made a second time by repeats", ["interrupted", "completed", "completed"], false],
  ] as [string, ExecutionStatus[], boolean][])("%s", (_what, statuses, expected) => {
    const ledger = ledgerAfter(...statuses);
    expect(isConfirmatory(ledger, "x-1")).toBe(expected);
    expect(nextExecution(ledger, "x-1")).toBe(statuses.length + 1);
  });
});
