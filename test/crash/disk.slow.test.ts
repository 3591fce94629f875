import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { soundOutcome } from "./support/outcome.ts";
import { expectEnd, withRig, type Rig } from "./support/rig.ts";
import { canMount, putOnSmallDisk } from "./support/small-disk.ts";
import { leftOf, withoutDocker } from "../contract/sandbox/support/real-engine.ts";
import { PROGRAM, QUESTION, smallRun } from "./support/small-run.ts";

/** SQLite has only its own words for a full disk. */
const SAYS_FULL = /Cannot write .*\.hypo.*: (the disk is full|disk I\/O error|database or disk is full)/;

function inSmallRun<T>(use: (rig: Rig) => Promise<T>): Promise<T> {
  return withRig({ script: smallRun }, use);
}

describe.skipIf(!canMount())("a state folder on a disk that makes trouble (needs root, to mount one)", () => {
  let undisturbed: unknown;

  beforeAll(async () => {
    await inSmallRun(async (rig) => {
      expectEnd(await rig.hypo(["run", QUESTION]), { code: 0 });
      undisturbed = await soundOutcome(rig);
    });
  }, 120_000);

  test.each([40, 120, 200, 300, 400])(
    "that is full after %i KB: the run says so and stops; once there is space it goes on to the same end",
    async (left) => {
      await inSmallRun(async (rig) => {
        using disk = await putOnSmallDisk(rig.project);
        await disk.fillUpTo(left * 1024);
        const full = await rig.hypo(["run", QUESTION]);
        expectEnd(full, { code: 1 });
        expect(full.stderr).toMatch(SAYS_FULL);
        expect(full.stderr).toContain("hypo resume");
        await disk.free();
        expectEnd(await rig.resume(), { code: 0 });
        expect(await soundOutcome(rig)).toEqual(undisturbed);
      });
    },
  );

  test("that is full while a run is resumed: nothing is lost, and it can be resumed again", async () => {
    await inSmallRun(async (rig) => {
      using disk = await putOnSmallDisk(rig.project);
      expectEnd(await rig.hypo(["run", QUESTION], { crashAt: "tool.done:6" }), { signal: "SIGKILL" });
      await disk.fillUpTo(0);
      const full = await rig.resume();
      expectEnd(full, { code: 1 });
      expect(full.stderr).toMatch(SAYS_FULL);
      await disk.free();
      expectEnd(await rig.resume(), { code: 0 });
      expect(await soundOutcome(rig)).toEqual(undisturbed);
    });
  });

  test("that is read-only: neither a new run nor a resumed one begins, and each says why", async () => {
    await inSmallRun(async (rig) => {
      using disk = await putOnSmallDisk(rig.project);
      expectEnd(await rig.hypo(["run", QUESTION], { crashAt: "tool.done:6" }), { signal: "SIGKILL" });
      disk.makeReadOnly();
      for (const args of [
        ["run", QUESTION],
        ["resume", "last"],
      ]) {
        const refused = await rig.hypo(args);
        expectEnd(refused, { code: 1 });
        expect(refused.stderr).toMatch(/read-only/i);
        expect(refused.stderr).not.toContain("defect of hypo");
      }
      disk.makeWritable();
      expect(await rig.project.runIds()).toHaveLength(1);
      expectEnd(await rig.resume(), { code: 0 });
      expect(await soundOutcome(rig)).toEqual(undisturbed);
    });
  });
});

/** What its experiment leaves is far more than the rest of the run needs. */
const LARGE_ARTEFACT = `${PROGRAM}
open("/out/large", "wb").write(bytes(6 << 20))
`;

describe.skipIf(withoutDocker || !canMount())("a disk that an experiment's artefact fills", () => {
  test("stops the run with the reason and leaves nothing on the engine; once there is space it goes on, and the artefact is kept", async () => {
    await withRig({ script: (site) => smallRun(site, LARGE_ARTEFACT), docker: true }, async (rig) => {
      using disk = await putOnSmallDisk(rig.project);
      await disk.fillUpTo(4 * 1024 * 1024);
      const full = await rig.hypo(["run", QUESTION]);
      expectEnd(full, { code: 1 });
      expect(full.stderr).toMatch(/Cannot write .*artifacts.*large.*: the disk is full/);
      expect(full.stderr).toContain("hypo resume");
      const { id } = await rig.run();
      expect(await leftOf(id)).toEqual([]);
      await disk.free();
      expectEnd(await rig.resume(), { code: 0 });
      const { experiments } = await soundOutcome(rig);
      expect(experiments).toMatchObject([{ executions: [{ status: "completed", outcome: "met" }] }]);
      const kept = await readdir(join(rig.project.folder, ".hypo/experiments"), { recursive: true });
      expect(kept.filter((path) => path.endsWith("artifacts/large"))).toHaveLength(1);
      expect(await leftOf(id)).toEqual([]);
    });
  });
});
