import { describe, expect, it } from "vitest";
import type { RunningProgram } from "../support/program.ts";
import { say } from "../support/scenario.ts";
import { answerAlone, spawn } from "./support/parts.ts";
import { QUESTION, readOutcome, resumeLast, withWorld, type Script, type World } from "./support/world.ts";

/** A supervisor with one child that does not answer until it is let go. */
function holdChild(): { script: Script; letGo: () => void } {
  let isHeld = true;
  const script: Script = (turn, site) => {
    if (turn.agent.id !== "root") return isHeld ? { ...say("Too late."), delayMs: 60_000 } : say("Here I am again.");
    return turn.has("publish_finding") && !turn.has("spawn_agent")
      ? spawn("Held", "Find out the depth of heaps.")
      : answerAlone(turn, site);
  };
  return { script, letGo: () => void (isHeld = false) };
}

/** Starts a run and waits until its child asks its model. */
async function startHeldRun({ project, model }: World): Promise<RunningProgram> {
  const running = project.start(["run", QUESTION]);
  await running.line((line) => line.includes("root.1 Held  started"));
  while (!model.requests.some(({ agent }) => agent === "root.1")) await new Promise((resolve) => setTimeout(resolve, 20));
  return running;
}

describe("a run at work", () => {
  it("is refused to a second writer; Ctrl-C saves it and resuming goes on where it was", async () => {
    const { script, letGo } = holdChild();
    await withWorld(script, async (world) => {
      const running = await startHeldRun(world);
      const second = await world.project.hypo(["rewind", "last", "--branch", "main", "--to", "2"]);
      expect(second.code).toBe(1);
      expect(second.stderr).toContain(String(running.pid));

      const interruptedAt = Date.now();
      running.kill("SIGINT");
      const left = await readOutcome(world, await running.ended);
      expect(left).toMatchObject({ code: 130, signal: null });
      const run = await world.project.run();
      expect(left.stderr).toContain(`The run is saved. Go on with: hypo resume ${run.id}`);
      expect(left.report).toContain("the run is interrupted: SIGINT");
      expect(left.report).toContain("Merging two sorted halves takes at most n - 1 comparisons.");
      expect(left.all("run_paused")).toEqual([{ reason: "SIGINT" }]);
      expect(Date.parse(left.facts.at(-1)?.at ?? "") - interruptedAt).toBeLessThan(5000);
      expect(left.endings).toEqual({});
      expect(await run.status()).toMatchObject({ state: "stopped", exit_code: 130 });

      letGo();
      const [recorded, asked] = [await run.recordedAnswers(), world.model.requests.length];
      const resumed = await resumeLast(world);
      expect(resumed.code).toBe(0);
      expect(resumed.endings).toEqual({ "root.1": "completed" });
      expect(resumed.all("finding_published")).toHaveLength(1);
      expect(world.model.askedAgain(recorded, asked)).toEqual([]);
      expect(resumed.report).not.toContain("interrupted");
    });
  });

  it("is saved by hypo stop from another terminal, and ends with exit code 143", async () => {
    const { script } = holdChild();
    await withWorld(script, async (world) => {
      const running = await startHeldRun(world);
      const stop = await world.project.hypo(["stop", "last"]);
      const run = await world.project.run();
      expect(stop).toMatchObject({ code: 0, stdout: `Stopped ${run.id}. Go on with: hypo resume ${run.id}\n` });
      const left = await readOutcome(world, await running.ended);
      expect(left).toMatchObject({ code: 143, signal: null });
      expect(left.report).toContain("the run is interrupted: SIGTERM");
      expect(left.all("run_finished")).toEqual([]);

      const again = await world.project.hypo(["stop", "last"]);
      expect(again).toMatchObject({ code: 0, stdout: "", stderr: `${run.id} is not at work.\n` });
    });
  });

  it("ends at once when Ctrl-C comes twice, and can be resumed all the same", async () => {
    const { script, letGo } = holdChild();
    await withWorld(script, async (world) => {
      const running = await startHeldRun(world);
      running.kill("SIGINT");
      running.kill("SIGINT");
      expect((await running.ended).code).toBe(130);
      letGo();
      const resumed = await resumeLast(world);
      expect(resumed.code).toBe(0);
      expect(resumed.all("finding_published")).toHaveLength(1);
    });
  });

  it("cannot be resumed once it is over", async () => {
    await withWorld(answerAlone, async (world) => {
      await world.project.hypo(["run", QUESTION]);
      const again = await world.project.hypo(["resume", "last"]);
      expect(again.code).toBe(1);
      expect(again.stderr).toMatch(/is over \(goal_achieved: .*\)\.\n.*hypo show/);
    });
  });
});
