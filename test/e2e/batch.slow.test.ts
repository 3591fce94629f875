import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { RunningProgram } from "../support/program.ts";
import { hasTmux, withTerminal } from "../support/terminal.ts";
import { call, type Turn } from "../support/scenario.ts";
import { resultsIn, writeLines } from "./support/batch-files.ts";
import { withHeldWorld } from "./support/held-world.ts";
import { answerAlone } from "./support/parts.ts";
import { withWorld, type Script } from "./support/world.ts";

// Each test starts up to nine processes of some seconds each, and the machine may be busy.
vi.setConfig({ testTimeout: 600_000 });

const isAsked = ({ request }: Turn, words: string): boolean => request.messages.some(({ text }) => text.includes(words));

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe("a batch", () => {
  it("saves its runs on SIGTERM and after kill -9, and goes on with them without asking anything twice", async () => {
    const script: Parameters<typeof withHeldWorld>[0] = async (turn, { site, hold }) => {
      if (turn.has("publish_finding")) await hold.at(isAsked(turn, "Is merge sort stable?") ? "b" : "a");
      return answerAlone(turn, site);
    };
    await withHeldWorld(script, async ({ project, model, hold }) => {
      await writeLines(project, "q.jsonl", [
        { id: "a", question: "How many comparisons does merge sort need?" },
        { id: "b", question: "Is merge sort stable?" },
      ]);
      const start = async (): Promise<RunningProgram> => {
        const asked = model.requests.length;
        const batch = project.start(["batch", "q.jsonl", "--out", "results.jsonl"], { timeoutMs: 200_000 });
        await until(async () => (await areAtWork(await project.runIds())) && model.requests.length > asked + 1);
        await until(() => hold.reached.size === 2);
        return batch;
      };
      const areAtWork = async (ids: string[]): Promise<boolean> => {
        const states = await Promise.all(ids.map(async (id) => (await project.run(id)).status().catch(() => ({}))));
        return states.length === 2 && states.every((status) => (status as { state?: string }).state === "running");
      };

      const terminated = await start();
      const askedAt = Date.now();
      terminated.kill("SIGTERM");
      expect(await terminated.ended).toMatchObject({ code: 143, signal: null });
      expect(Date.now() - askedAt).toBeLessThan(8000);
      expect(resultsIn(await readFile(join(project.folder, "results.jsonl"), "utf8"))).toMatchObject([
        { status: "interrupted" },
        { status: "interrupted" },
      ]);

      const killed = await start();
      const running = await project.runIds();
      killed.kill("SIGKILL");
      await killed.ended;
      // Nobody is left who spends money.
      await until(async () => {
        const states = await Promise.all(running.map(async (id) => (await project.run(id)).status()));
        return states.every((status) => (status as { state: string }).state === "stopped");
      });

      hold.release("a", "b");
      const recorded = (await Promise.all(running.map(async (id) => (await project.run(id)).recordedAnswers()))).flat();
      const asked = model.requests.length;
      const last = await project.hypo(["batch", "q.jsonl"], { timeoutMs: 200_000 });
      expect(last.code).toBe(0);
      expect(await project.runIds()).toEqual(running);
      expect(model.askedAgain(recorded, asked)).toEqual([]);
    });
  });

  it.skipIf(!hasTmux())("saves its runs on Ctrl-C at a terminal, and says so", async () => {
    const script: Parameters<typeof withHeldWorld>[0] = async (turn, { site, hold }) => {
      if (turn.has("publish_finding")) await hold.at("a");
      return answerAlone(turn, site);
    };
    await withHeldWorld(script, async ({ project, hold }) => {
      await writeLines(project, "q.jsonl", [{ id: "a", question: "How many comparisons does merge sort need?" }]);
      await withTerminal({ cwd: project.folder, env: project.env }, async (terminal) => {
        await terminal.run("hypo batch q.jsonl --out results.jsonl");
        await hold.untilReached("a");
        await terminal.press("C-c");
        await terminal.until("The runs are saved.");
        await terminal.run('echo "code $?"');
        await terminal.until("code 130");
      });
      expect(resultsIn(await readFile(join(project.folder, "results.jsonl"), "utf8"))).toMatchObject([{ status: "interrupted" }]);
      expect(await (await project.run()).status()).toMatchObject({ state: "stopped" });
      hold.release("a");
    });
  });

  it("never spends more than its runs may together, and later ones draw what earlier ones left", async () => {
    const lavish: Script = (turn, site) => {
      const output = Math.min(6000, turn.request.maxTokens ?? 0);
      const looks = turn.results("find").length;
      const answer = turn.has("publish_finding") && looks < 2 ? call("find", { glob: `*.${looks}` }) : answerAlone(turn, site);
      return { ...answer, usage: { input: 1000, output } };
    };
    await withWorld(
      lavish,
      async (world) => {
        await writeLines(
          world.project,
          "q.jsonl",
          ["a", "b", "c"].map((id) => ({ id, question: `How many comparisons does merge sort need, ${id}?` })),
        );
        const run = (cap: string) =>
          world.project.hypo(["batch", "q.jsonl", "--json", "--ordered", "--max-cost", cap], { timeoutMs: 200_000 });
        const short = await run("0.45");
        const results = resultsIn(short.stdout);
        expect(short.code).toBe(3);
        expect(results.reduce((sum, { usd }) => sum + usd, 0)).toBeLessThanOrEqual(0.45);
        expect(results[0]).toMatchObject({ status: "answered" });
        expect(results.at(-1)).toMatchObject({ reached: false });
        const enough = await run("3");
        expect(resultsIn(enough.stdout).map(({ status }) => status)).toEqual(["answered", "answered", "answered"]);
        expect(enough.code).toBe(0);
        expect(resultsIn(enough.stdout)[0]).toEqual(results[0]);
        expect(await world.project.runIds()).toHaveLength(3);
      },
      { config: { budget: { usd: 0.5 } } },
    );
  });
});
