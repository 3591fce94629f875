import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { HYPO } from "../support/hypo.ts";
import { withHeldWorld } from "./support/held-world.ts";
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

  it("is saved by a Ctrl-C that takes its reader away, too", async () => {
    await withHeldWorld(
      async (turn, { site, hold }) => {
        if (turn.has("publish_finding")) await hold.at("a");
        return answerAlone(turn, site);
      },
      async ({ project, hold }) => {
        const { folder, env } = project;
        const program = `('${process.execPath}' '${HYPO}' run '${QUESTION}'; echo "code $?" > code) 2>&1 | cat`;
        const shell = spawn("bash", ["-c", program], {
          cwd: folder,
          env: { ...env, PATH: process.env["PATH"] ?? "" },
          detached: true,
          stdio: "ignore",
        });
        const ended = once(shell, "exit");
        await hold.untilReached("a");
        process.kill(-(shell.pid ?? 0), "SIGINT");
        await ended;
        const code = join(folder, "code");
        await vi.waitFor(async () => expect(await readFile(code, "utf8")).toBe("code 130\n"), { timeout: 20_000 });
        expect(await (await project.run()).status()).toMatchObject({ state: "stopped", exit_code: 130 });
        hold.release("a");
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
