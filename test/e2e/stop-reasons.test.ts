import { describe, expect, it } from "vitest";
import type { StopReason } from "../../src/domain/events.ts";
import { call, say, type Turn } from "../support/scenario.ts";
import type { ScriptedAnswer } from "../support/scripted/answer.ts";
import { answerAlone, isAskedForReport } from "./support/parts.ts";
import { research, type Script } from "./support/world.ts";

/** Reads and publishes as everyone does, then closes the iteration in its own way. */
function closing(close: (turn: Turn) => ScriptedAnswer): Script {
  return (turn, site) => (turn.has("publish_finding") && !isAskedForReport(turn) ? close(turn) : answerAlone(turn, site));
}

interface Case {
  reason: StopReason;
  detail: string;
  config: { limits?: { iterations: number }; budget?: { hours: number } };
  script: Script;
  by: "supervisor" | "code";
  code: number;
}

const CASES: Case[] = [
  {
    reason: "method_error",
    detail: "the sizes were chosen after the counts were seen",
    config: {},
    script: closing(() =>
      call("research_control", {
        action: "close_iteration",
        reason: "One finding.",
        method_error: "the sizes were chosen after the counts were seen",
      }),
    ),
    by: "supervisor",
    code: 0,
  },
  {
    reason: "iteration_limit",
    detail: "2 iterations are done (limit iterations)",
    config: { limits: { iterations: 2 } },
    script: closing(() => call("research_control", { action: "close_iteration", reason: "There is more to look at." })),
    by: "supervisor",
    code: 0,
  },
  {
    reason: "wall_time",
    detail: "0.001 hours of work are over (budget hours)",
    config: { budget: { hours: 0.001 } },
    script: () => ({ ...say("I think about it."), delayMs: 60_000 }),
    by: "code",
    code: 3,
  },
];

describe("a run that stops by a coded condition", () => {
  it.each(CASES)("$reason ends with a report that says so, written by the $by", async ({ reason, detail, config, script, by, code }) => {
    const outcome = await research(script, { config });
    expect(outcome.all("run_stopping")).toEqual([{ reason, detail }]);
    expect(outcome.all("report_written")).toEqual([expect.objectContaining({ by, answered: by === "supervisor" })]);
    expect(outcome.all("run_finished")).toEqual([expect.objectContaining({ reason, detail })]);
    expect(outcome.report).toContain(reason);
    expect(outcome.report).toContain(detail);
    expect(outcome.code).toBe(code);
  });
});
