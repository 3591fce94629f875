import { describe, expect, it } from "vitest";
import type { EventData, RunEvent, StopReason } from "../../../src/domain/events.ts";
import { decideReopening, lacksMoney, optionsToReopen, type Raise } from "../../../src/engine/decide/reopen.ts";
import { project } from "../../../src/engine/state/evolve.ts";
import { takeOver } from "../../../src/engine/take-over.ts";
import { factsOf, runStarted, spawned } from "./fact-lists.ts";

type Limit = EventData<"report_written">["limit"];

const PART: EventData<"report_part_drafted"> = { agent: "root", call: "c1", part: 1, sections: [], digest: "d" };

/** A run that ended by `reason`, whose report `limit` prevented; 5 US dollars, 4 hours and 8 iterations were its limits. */
function ended(reason: StopReason, limit?: Limit, more: RunEvent[] = []) {
  const report = { by: "code", path: "report.md", sha256: "0", refused: 0, answered: false, why_code: "why" } as const;
  const events: RunEvent[] = [
    runStarted(),
    spawned("root"),
    { type: "run_stopping", data: { reason, detail: "d" } },
    { type: "report_part_drafted", data: PART },
    { type: "report_written", data: { ...report, ...(limit ? { limit } : {}) } },
    { type: "run_finished", data: { state: "completed", reason, detail: "d", answered: false } },
    ...more,
  ];
  const state = project(factsOf(events));
  return { ...state, budget: { ...state.budget, usd: 5, hours: 4, tokens: 1000 }, limits: { ...state.limits, iterations: 8 } };
}

function raise(budget: Raise["budget"], limits: Raise["limits"] = {}): Raise {
  return { budget, limits };
}

describe("a run that is over", () => {
  it.each<[string, StopReason, Limit, Raise, ReturnType<typeof decideReopening>]>([
    ["its research, whose money had run out, with more money", "budget_exhausted", undefined, raise({ usd: 6 }), "research"],
    ["its research with more tokens", "budget_exhausted", undefined, raise({ tokens: 1001 }), "research"],
    ["its research without a cap", "budget_exhausted", undefined, raise({ usd: null }), "research"],
    ["nothing with the same money", "budget_exhausted", undefined, raise({ usd: 5 }), undefined],
    ["nothing with less money", "budget_exhausted", undefined, raise({ usd: 1 }), undefined],
    ["nothing with more time where its money had run out", "budget_exhausted", undefined, raise({ hours: 9 }), undefined],
    ["its research with more time", "wall_time", undefined, raise({ hours: 5 }), "research"],
    ["its research with more iterations", "iteration_limit", undefined, raise({}, { iterations: 9 }), "research"],
    ["nothing with more money after its last iteration", "iteration_limit", undefined, raise({ usd: 9 }), undefined],
    ["its report, for which money lacked", "goal_achieved", "budget_exhausted", raise({ usd: 6 }), "report"],
    ["its report, for which time lacked", "goal_achieved", "wall_time", raise({ hours: 5 }), "report"],
    ["nothing with more time where money lacked", "goal_achieved", "budget_exhausted", raise({ hours: 5 }), undefined],
    ["its report after its last iteration", "iteration_limit", "budget_exhausted", raise({ usd: 6 }), "report"],
    [
      "its research where iterations are raised too",
      "iteration_limit",
      "budget_exhausted",
      raise({ usd: 6 }, { iterations: 9 }),
      "research",
    ],
    ["its research where both were cut by the same limit", "budget_exhausted", "budget_exhausted", raise({ usd: 6 }), "research"],
    ["nothing where no limit ended it", "goal_achieved", undefined, raise({ usd: 6 }), undefined],
  ])("goes on with %s", (_what, reason, limit, raised, expected) => {
    expect(decideReopening(ended(reason, limit), raised)).toBe(expected);
  });

  it("names the options that let it go on, and whether it is money", () => {
    expect(optionsToReopen(ended("iteration_limit", "budget_exhausted"))).toEqual(["`--max-iterations`", "`--max-cost` or `--max-tokens`"]);
    expect(optionsToReopen(ended("budget_exhausted", "budget_exhausted"))).toEqual(["`--max-cost` or `--max-tokens`"]);
    expect(optionsToReopen(ended("goal_achieved"))).toEqual([]);
    expect(lacksMoney(ended("goal_achieved", "budget_exhausted"))).toBe(true);
    expect(lacksMoney(ended("goal_achieved", "wall_time"))).toBe(false);
  });

  it("is refused where nothing that ended it is raised, with what would be", () => {
    const basis = { hypo: "0.1.0", pi: "1.6.0", prompts: "p1", config: undefined };
    const take = (to: Raise) => takeOver(ended("goal_achieved", "budget_exhausted"), basis, { raise: to, acceptChanges: false });
    const hint = "Raise the limit that stopped it: `--max-cost` or `--max-tokens`.";
    expect(() => take(raise({}, { iterations: 90 }))).toThrow(expect.objectContaining({ code: "refused", hint }));
    expect(take(raise({ usd: 6 })).resumed.data).toMatchObject({ reopens: true, only_report: true, budget: { usd: 6 } });
  });

  it("keeps why it stopped and the parts of its report where only that is asked for again", () => {
    const data = { reason: "raised", changes: [], reopens: true };
    const report = ended("goal_achieved", "budget_exhausted", [{ type: "run_resumed", data: { ...data, only_report: true } }]);
    expect(report).toMatchObject({ finish: undefined, report: undefined, status: "running", stopping: { reason: "goal_achieved" } });
    expect(report.reportParts).toHaveLength(1);
    expect(lacksMoney(report)).toBe(false);
    const research = ended("budget_exhausted", undefined, [{ type: "run_resumed", data }]);
    expect(research).toMatchObject({ finish: undefined, report: undefined, status: "running", stopping: undefined, reportParts: [] });
  });
});
