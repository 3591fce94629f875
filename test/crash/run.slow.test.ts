import { beforeAll, describe, expect, test } from "vitest";
import { soundOutcome } from "./support/outcome.ts";
import { expectEnd, withRig } from "./support/rig.ts";
import { QUESTION, smallRun } from "./support/small-run.ts";

describe("a run without a container engine, killed and resumed, comes to what an undisturbed one comes to", { timeout: 120_000 }, () => {
  let undisturbed: unknown;

  beforeAll(async () => {
    await withRig({ script: smallRun }, async (rig) => {
      expectEnd(await rig.hypo(["run", QUESTION]), { code: 0 });
      undisturbed = await soundOutcome(rig);
    });
  }, 120_000);

  test.each(["model.answered:6", "tool.done:4", "finding.recorded:2", "report.files_written"])("killed at %s", async (crashAt) => {
    await withRig({ script: smallRun }, async (rig) => {
      expectEnd(await rig.hypo(["run", QUESTION], { crashAt }), { signal: "SIGKILL" });
      expectEnd(await rig.resume(), { code: 0 });
      expect(await soundOutcome(rig)).toEqual(undisturbed);
    });
  });
});
