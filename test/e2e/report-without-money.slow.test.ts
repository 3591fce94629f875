import { describe, expect, it } from "vitest";
import { resultsIn, writeLines } from "./support/batch-files.ts";
import { answerAlone, isAskedForReport } from "./support/parts.ts";
import { askQuestion, QUESTION, resumeLast, withWorld, type Script } from "./support/world.ts";

const COST = { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 0 };

/** Closes the research with the longest answer that the money left allows, so that too little is left to ask for a report. */
const spendOnClosing: Script = (turn, site) => {
  const answer = answerAlone(turn, site);
  if (!turn.has("publish_finding") || isAskedForReport(turn)) return { ...answer, usage: { input: 100, output: 10 } };
  return { ...answer, usage: { input: Math.floor(turn.request.bytes * 0.9), output: turn.request.maxTokens ?? 0 } };
};

describe("a run whose money runs out before its report", () => {
  it("is asked for its report again when it is resumed with more money, also after a crash", async () => {
    await withWorld(
      spendOnClosing,
      async (world) => {
        const short = await askQuestion(world);
        expect(short.code).toBe(3);
        expect(short.all("run_finished")).toEqual([expect.objectContaining({ reason: "goal_achieved", answered: false })]);
        expect(short.all("report_written")).toEqual([expect.objectContaining({ by: "code", limit: "budget_exhausted" })]);
        expect(short.stderr).toMatch(/goal_achieved: .*, but not its report: .* of 0\.055 USD/);
        expect(short.stderr).toMatch(/Go on with: hypo resume \S+, with more of `--max-cost` or `--max-tokens`/);
        const asked = world.model.requests.length;
        await world.project.hypo(["resume", "last", "--max-cost", "9"], { crashAt: "model.recorded" });
        const more = await resumeLast(world);
        expect(more.code).toBe(0);
        expect(more.stdout).toContain("Merging takes at most n - 1 comparisons");
        expect(world.model.requests.length - asked).toBeLessThanOrEqual(2);
        expect(more.all("iteration_closed")).toHaveLength(1);
        expect(more.all("run_stopping")).toHaveLength(1);
        expect(more.all("run_resumed")).toMatchObject([{ reopens: true, only_report: true }, {}]);
        expect(more.all("report_written").at(-1)).toMatchObject({ by: "supervisor", answered: true });
        expect(await world.project.hypo(["verify", "last"])).toMatchObject({
          code: 0,
          stdout: expect.stringContaining("Nothing diverges."),
        });
      },
      { config: { budget: { usd: 0.055 } }, agentDir: { cost: COST } },
    );
  });

  it("goes on in a batch that has more money for it", async () => {
    await withWorld(
      spendOnClosing,
      async ({ project }) => {
        await writeLines(project, "q.jsonl", [{ id: "a", question: QUESTION }]);
        const run = (cap: string) => project.hypo(["batch", "q.jsonl", "--json", "--max-cost", cap], { timeoutMs: 200_000 });
        const short = await run("0.055");
        expect(resultsIn(short.stdout)).toMatchObject([{ status: "unanswered", stop_reason: "goal_achieved" }]);
        expect(resultsIn((await run("0.055")).stdout)).toEqual(resultsIn(short.stdout));
        const enough = await run("3");
        expect(resultsIn(enough.stdout)).toMatchObject([{ status: "answered", run: resultsIn(short.stdout)[0]?.run }]);
        expect(enough.code).toBe(0);
      },
      { config: { budget: { usd: 5 } }, agentDir: { cost: COST } },
    );
  });
});
