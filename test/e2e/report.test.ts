import { describe, expect, it } from "vitest";
import { call, say, type Turn } from "../support/scenario.ts";
import type { ScriptedAnswer } from "../support/scripted/answer.ts";
import { answerAlone, isAskedForReport, reportFindings } from "./support/parts.ts";
import { research } from "./support/world.ts";

const UNKNOWN = "f-0000000000";

/** A draft whose answer rests on a finding that nobody published. */
function draftOnNothing(turn: Turn): ScriptedAnswer {
  const answer = `Draft ${turn.results("write_report").length}: it needs few.`;
  return call("write_report", { answer, answer_supports: [UNKNOWN], confidence: "low", would_change: "A source." });
}

describe("the supervisor's report", () => {
  it("is taken when a refused draft has been mended, and the run is answered", async () => {
    const outcome = await research((turn, site) => {
      if (!isAskedForReport(turn) || turn.has("write_report")) {
        return turn.results("write_report").length === 1 ? reportFindings(turn) : answerAlone(turn, site);
      }
      return draftOnNothing(turn);
    });
    const [refused, taken] = outcome.results("root", "write_report");
    expect(refused).toMatchObject({
      ok: false,
      text: expect.stringContaining(`has no finding, hypothesis, experiment or cited source ${UNKNOWN}`),
    });
    expect(refused?.text).toContain(outcome.all("finding_published")[0]?.finding.id);
    expect(taken).toMatchObject({ ok: true });
    expect(outcome.all("report_written")).toEqual([expect.objectContaining({ by: "supervisor", refused: 1, answered: true })]);
    expect(outcome.report).not.toContain(UNKNOWN);
    expect(outcome.code).toBe(0);
  });

  it("is written by code when three drafts were refused, and says so", async () => {
    const outcome = await research((turn, site) => (isAskedForReport(turn) ? draftOnNothing(turn) : answerAlone(turn, site)));
    expect(outcome.results("root", "write_report").map(({ ok }) => ok)).toEqual([false, false, false]);
    const whyCode = "3 drafts of the supervisor were refused";
    expect(outcome.all("report_written")).toEqual([
      expect.objectContaining({ by: "code", refused: 3, answered: false, why_code: whyCode }),
    ]);
    expect(outcome.report).toContain(`> This report was written by code from the run's record alone: ${whyCode}`);
    expect(outcome.report).toContain("Merging two sorted halves takes at most n - 1 comparisons.");
    expect(outcome.all("run_finished")).toEqual([expect.objectContaining({ reason: "goal_achieved", answered: false })]);
    expect(outcome.code).toBe(3);
  });

  it("is not taken before the research has ended, and the early try does not count against it", async () => {
    const outcome = await research((turn, site) => {
      if (!turn.has("publish_finding")) return answerAlone(turn, site);
      if (!turn.has("write_report")) return draftOnNothing(turn);
      if (isAskedForReport(turn)) return turn.results("write_report").length === 1 ? reportFindings(turn) : say("That is all.");
      return call("research_control", { action: "finish", reason: "It is answered." });
    });
    const [early, taken] = outcome.results("root", "write_report");
    expect(early).toMatchObject({ ok: false, text: expect.stringContaining("The research is still going on.") });
    expect(taken).toMatchObject({ ok: true });
    expect(outcome.all("report_written")).toEqual([expect.objectContaining({ by: "supervisor", refused: 0 })]);
  });

  it("that gives no answer ends the run with exit code 3", async () => {
    const outcome = await research((turn, site) => {
      if (!isAskedForReport(turn) || turn.has("write_report")) return answerAlone(turn, site);
      return call("write_report", { answer: "It is not known.", confidence: "none", would_change: "Any source." });
    });
    expect(outcome.results("root", "write_report")).toEqual([expect.objectContaining({ ok: true })]);
    expect(outcome.all("report_written")).toEqual([expect.objectContaining({ by: "supervisor", answered: false })]);
    expect(outcome.code).toBe(3);
  });
});

describe("finishing", () => {
  it("is refused while nothing is verified", async () => {
    const outcome = await research((turn) => {
      if (isAskedForReport(turn)) return say("Nothing to report.");
      const action = turn.has("research_control") ? "close_iteration" : "finish";
      return call("research_control", { action, reason: "I feel it is answered.", external_only: action === "close_iteration" });
    });
    expect(outcome.results("root", "research_control")[0]).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^The goal is not achieved yet: nothing is verified yet/),
    });
    expect(outcome.all("iteration_closed")).toEqual([expect.objectContaining({ claim: "external_only" })]);
  });
});
