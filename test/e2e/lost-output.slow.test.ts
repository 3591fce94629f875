import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { HYPO } from "../support/hypo.ts";
import { answerAlone } from "./support/parts.ts";
import { QUESTION, resumeLast, withWorld } from "./support/world.ts";

const run = promisify(execFile);

describe("a run whose output nobody reads any more", () => {
  it("is saved, says how to go on, and goes on to its answer", async () => {
    await withWorld(
      (turn, site) => ({ ...answerAlone(turn, site), delayMs: 700 }),
      async (world) => {
        const { folder, env } = world.project;
        const program = `'${process.execPath}' '${HYPO}' run --json '${QUESTION}' | head -1; echo "code \${PIPESTATUS[0]}"`;
        const { stdout, stderr } = await run("bash", ["-c", program], { cwd: folder, env: { ...env, PATH: process.env["PATH"] ?? "" } });
        expect(stdout).toMatch(/^\{"v":1.*\}\ncode 143\n$/);
        expect(stderr).toContain("hypo resume");
        const resumed = await resumeLast(world);
        expect(resumed.all("run_paused")).toEqual([{ reason: "SIGTERM" }]);
        expect(resumed.code).toBe(0);
      },
    );
  });

  it("tells a full disk in words, without a stack", async () => {
    await withWorld(
      (turn, site) => answerAlone(turn, site),
      async ({ project: { folder, env } }) => {
        const program = `'${process.execPath}' '${HYPO}' help > /dev/full; echo "code $?"`;
        const { stdout, stderr } = await run("bash", ["-c", program], { cwd: folder, env: { ...env, PATH: process.env["PATH"] ?? "" } });
        expect(stdout).toBe("code 1\n");
        expect(stderr).toMatch(/^hypo: Output cannot be written: .*ENOSPC.*\n {6}Make room/);
        expect(stderr).not.toContain("at ");
      },
    );
  });
});
