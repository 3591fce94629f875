import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ENGINE_CRASH_POINTS } from "../../src/engine/crash-points.ts";
import { JOURNAL_CRASH_POINTS, type JournalCrashPoint } from "../../src/engine/journal/crash-points.ts";
import { hasDocker } from "./support/engine.ts";
import { soundOutcome } from "./support/outcome.ts";
import { expectEnd, withRig, type Rig } from "./support/rig.ts";
import { QUESTION, smallRun } from "./support/small-run.ts";

const docker = hasDocker();

/** Later visits to points that a run passes many times. */
const LATER = [
  "model.answered:9",
  "model.recorded:13",
  "tool.started:7",
  "tool.done:8",
  "tool.recorded:12",
  "agent.spawned:3",
  "finding.recorded:3",
];

describe(`every point of a run ${docker ? "with" : "without"} a container engine`, () => {
  let undisturbed: unknown;

  beforeAll(async () => {
    await inSmallRun(async (rig) => {
      expectEnd(await rig.hypo(["run", QUESTION]), { code: 0 });
      undisturbed = await soundOutcome(rig);
    });
  });

  /** Kills a new run at a point, and gives what it came to once it was resumed. */
  async function outcomeOfKilledAt(crashAt: string): Promise<unknown> {
    return inSmallRun(async (rig) => {
      expectEnd(await rig.hypo(["run", QUESTION], { crashAt }), { signal: "SIGKILL" });
      expectEnd(await rig.resume(), { code: 0 });
      return soundOutcome(rig);
    });
  }

  test("undisturbed, a run ends with the verdict it can have and with its supervisor's report", () => {
    expect(undisturbed).toMatchObject({ hypotheses: [{ verdict: docker ? "supported" : "testable" }], report: { by: "supervisor" } });
  });

  const points = [...ENGINE_CRASH_POINTS, ...LATER, "journal.before_write:11", "journal.after_write:17", "journal.after_sync:23"];
  test.each(points)("killed at %s, a run goes on to the same end", async (crashAt) => {
    expect(await outcomeOfKilledAt(crashAt)).toEqual(undisturbed);
  });

  const ofTaking = (point: JournalCrashPoint): boolean => /^lock\.|repair|torn/.test(point);
  test.each(JOURNAL_CRASH_POINTS.filter(ofTaking))("killed at %s while it is resumed, a run goes on to the same end", async (crashAt) => {
    const outcome = await inSmallRun(async (rig) => {
      expectEnd(await rig.hypo(["run", QUESTION], { crashAt: "tool.done:6" }), { signal: "SIGKILL" });
      await appendFile(join((await rig.run()).path, "journal.jsonl"), '{"v":1,"seq":');
      expectEnd(await rig.resume({ crashAt }), { signal: "SIGKILL" });
      expectEnd(await rig.resume(), { code: 0 });
      return soundOutcome(rig);
    });
    expect(outcome).toEqual(undisturbed);
  });

  test("killed at journal.before_release, a run is over already, and resuming it says so", async () => {
    await inSmallRun(async (rig) => {
      expectEnd(await rig.hypo(["run", QUESTION], { crashAt: "journal.before_release" }), { signal: "SIGKILL" });
      const again = await rig.resume();
      expectEnd(again, { code: 1 });
      expect(again.stderr).toContain("is over (goal_achieved");
      expect(await soundOutcome(rig)).toEqual(undisturbed);
    });
  });

  test.each(["lock.before_take", "lock.taken", "journal.before_create", "journal.created", "journal.before_write"])(
    "killed at %s before its first fact, a run says that it never began, and the question can be asked anew",
    async (crashAt) => {
      await inSmallRun(async (rig) => {
        expectEnd(await rig.hypo(["run", QUESTION], { crashAt }), { signal: "SIGKILL" });
        const begun = (await rig.run()).id;
        const again = await rig.hypo(["resume", begun]);
        expectEnd(again, { code: 1 });
        expect(again.stderr).toContain("hypo run");
        expect(rig.model.requests).toEqual([]);
        expectEnd(await rig.hypo(["run", QUESTION]), { code: 0 });
      });
    },
  );
});

function inSmallRun<T>(use: (rig: Rig) => Promise<T>): Promise<T> {
  return withRig({ script: smallRun, docker }, use);
}
