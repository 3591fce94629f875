import { execFileSync } from "node:child_process";
import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { processIdentity } from "../../src/files/process-identity.ts";
import { withProject } from "../support/hypo.ts";
import { failFirst, say } from "../support/scenario.ts";
import { answerAlone, withHeldWorld, type HeldScript } from "./support/held-world.ts";

const QUESTION = "How many comparisons does merge sort need?";
const WATCHES = "The run is at work in another process";

/** A supervisor that answers only once it is let go. */
const held: HeldScript = async (turn, { site, hold }) => {
  if (turn.answers === 0) await hold.at("first");
  return answerAlone(turn, site);
};

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 30));
}

describe("a detached run", () => {
  it("prints its id once it is recorded, is shared by all who come back to it, and goes on alone", async () => {
    await withHeldWorld(held, async ({ project, hold, hypo, fact }) => {
      const detached = await hypo(["run", "--detach", QUESTION]);
      const run = await project.run();
      expect(detached.stdout).toBe(`${run.id}\n`);
      expect(detached.stderr).toContain(`Come back to it with: hypo resume ${run.id}`);
      expect((await run.facts())[0]).toMatchObject({ type: "run_started", data: { question: QUESTION } });
      await hypo(["stop", "last"]);

      // Two at once: one sets it to work, the other is not refused but watches, and may leave again.
      const both = [project.start(["resume", "last"]), project.start(["resume", "last"])];
      const watching = await Promise.any(both.map((each) => each.line((line) => line.includes(WATCHES)).then(() => each)));
      watching.kill("SIGINT");
      expect(await watching.ended).toMatchObject({ code: 0 });
      await hypo(["stop", "last"]);
      const working = both.filter((each) => each !== watching);
      expect(await Promise.all(working.map((each) => each.ended))).toMatchObject([{ code: 143 }]);

      const again = JSON.parse((await hypo(["resume", "last", "--detach", "--json"])).stdout);
      expect(again).toEqual({ v: 1, run: run.id, pid: expect.any(Number), log: join(run.path, "process.log") });
      // It is at work, so that nobody else has to follow it.
      const once = JSON.parse((await hypo(["resume", "last", "--detach", "--json"])).stdout);
      expect(once).toEqual({ v: 1, run: run.id, pid: again.pid, log: null });
      expect((await hypo(["resume", "last", "--detach", "--max-cost", "9"], 1)).stderr).toContain("The run is at work");
      hold.release("first");
      expect(await fact(({ type }) => type === "run_finished")).toMatchObject({ data: { answered: true } });
      await until(() => processIdentity(again.pid) === undefined);
      expect(await readFile(again.log, "utf8")).toContain("Merging takes at most n - 1 comparisons.");
    });
  });

  it("leaves nothing behind where it cannot begin, and says why as a run in the foreground does", async () => {
    await withHeldWorld(held, async ({ project, hypo }) => {
      const failed = await hypo(["run", "--detach", "--model", "scripted/other", QUESTION, "--json"], 2);
      expect(JSON.parse(failed.stdout)).toMatchObject({ v: 1, error: { code: "model_unknown" } });
      expect(await readdir(join(project.folder, ".hypo", "runs"))).toEqual([]);
    });
  });
});

describe("who watches a run of another process", () => {
  it("is told what that process warns of, also of what it said before", async () => {
    const script: HeldScript = async (turn, { site, hold }) => {
      if (turn.has("publish_finding")) await hold.at("second");
      const fault = { kind: "status", status: 429, retryAfter: turn.has("publish_finding") ? 2 : 1 } as const;
      return turn.answers === 0 || turn.has("publish_finding")
        ? failFirst(turn, 1, fault, answerAlone(turn, site))
        : answerAlone(turn, site);
    };
    await withHeldWorld(script, async ({ project, hold, hypo }) => {
      await hypo(["run", "--detach", QUESTION]);
      await hold.untilReached("second");
      const watching = project.start(["resume", "last"], { timeoutMs: 200_000 });
      await watching.line((line) => line.includes("asks for a pause of 1 s"));
      hold.release("second");
      const { code, stderr } = await watching.ended;
      expect(code).toBe(0);
      expect(stderr.match(/asks for a pause of \d s/g)).toEqual(["asks for a pause of 1 s", "asks for a pause of 2 s"]);
    });
  });
});

describe("a demo that is interrupted", () => {
  it("says how to come back to it, from where it was called", async () => {
    await withProject(async (project) => {
      const env = { DOCKER_HOST: "unix:///nowhere/docker.sock" };
      const demo = project.start(["demo"], { env, timeoutMs: 200_000 });
      await demo.line((line) => line.includes("spawned by root"));
      demo.kill("SIGINT");
      const { code, stderr } = await demo.ended;
      expect(code).toBe(130);
      const [, again = ""] = /Go on with: hypo (-C hypo-demo resume \S+)/.exec(stderr) ?? [];
      expect(await project.hypo(again.split(" "), { env, timeoutMs: 200_000 })).toMatchObject({ code: 0 });
    });
  });
});

describe("a signal before a run has begun", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends it with a word and exit code %i, and leaves no run", async (signal, code) => {
    await withHeldWorld(
      () => say("Nothing."),
      async ({ project }) => {
        // Whoever opens a pipe for writing waits for its reader: then the run has come to its question.
        const question = join(project.folder, "question");
        execFileSync("mkfifo", [question]);
        const running = project.start(["run", "--file", question]);
        const writer = await open(question, "w");
        running.kill(signal);
        await running.line((line) => line.includes("Interrupted before any work began"));
        await writer.close();
        expect(await running.ended).toMatchObject({ code, signal: null, stdout: "" });
        expect(await project.runIds()).toEqual([]);
      },
    );
  });
});
