import { describe, expect, it } from "vitest";
import { z } from "zod";
import { widthOf } from "../../src/cli/output/width.ts";
import type { Fact } from "../../src/domain/events.ts";
import { answerAlone, withHeldWorld, type HeldScript } from "../e2e/support/held-world.ts";
import { withProject } from "../support/hypo.ts";
import { call, say, together } from "../support/scenario.ts";
import { hasTmux, withTerminal, type Terminal } from "../support/terminal.ts";

const ASK = 'hypo run "How many comparisons does merge sort need?"';

/** The supervisor starts an agent with a name that is hard to draw, which hangs until it is cancelled, and waits. */
const hanging: HeldScript = async (turn, { site, hold }) => {
  if (turn.agent.id === "root.1") {
    await hold.at("never");
    return say("Too late.");
  }
  if (turn.answers === 0) return together(call("spawn_agent", { name: "検索 é́ 👩‍🔬 باحث", goal: "Count swaps.", background: true }));
  if (turn.answers === 1) {
    await hold.at("second");
    return call("agent_control", { action: "wait" });
  }
  return answerAlone(turn, site);
};

/** What the shell's screen must be once hypo has left it. */
async function expectShell(terminal: Terminal): Promise<string[]> {
  await terminal.run("stty -a | tr ' ;' '\\n\\n' | grep -xE -e '-?(icanon|echo)' | xargs echo re''turned");
  const lines = await terminal.until(/^returned .*$/m);
  expect(lines.findLast((line) => line.startsWith("returned"))).toBe("returned icanon echo");
  expect(await terminal.isOtherScreen()).toBe(false);
  expect(await terminal.isCursorShown()).toBe(true);
  return lines;
}

/** Every line of a screen of the view: nothing of an earlier frame is left between or below its rows. */
function expectWholeView(lines: readonly string[], columns: number, rows: number): void {
  expect(lines.length).toBeLessThanOrEqual(rows + 1);
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  const text = lines.join("\n");
  expect(text.match(/^(it|iteration) \d/gm)).toHaveLength(1);
  expect(text.match(/^› /gm)).toHaveLength(1);
  expect(text.match(/\? help/g)).toHaveLength(1);
  const foot = lines.findIndex((line) => line.includes("? help"));
  expect(lines.slice(foot + 1).filter((line) => line !== "")).toEqual([]);
}

const isOf = (type: Fact["type"]) => (fact: Fact) => fact.type === type;

describe.skipIf(!hasTmux())("hypo at a terminal", () => {
  it("redraws the whole view at every size, without a trace of the sizes before", async () => {
    await withHeldWorld(hanging, async ({ project, hold }) => {
      await withTerminal({ cwd: project.folder, env: project.env }, async (terminal) => {
        await terminal.run(ASK);
        await hold.untilReached("second");
        await terminal.until("検索");
        for (const [columns, rows] of [
          [40, 10],
          [200, 60],
          [57, 13],
          [80, 24],
        ] as const) {
          await terminal.resize(columns, rows);
          const lines = await terminal.until(columns < 70 ? /^it \d/m : /^iteration \d/m);
          await expect.poll(async () => (await terminal.screen()).filter((line) => line.includes("? help")).length).toBe(1);
          expectWholeView(await terminal.screen(), columns, rows);
          expect(lines.join("\n")).toContain("検索");
        }
        // Tokens and money stand in the same columns, whatever the names before them take.
        const money = (await terminal.screen()).filter((line) => line.includes(" $0"));
        expect(new Set(money.slice(-2).map((line) => widthOf(line))).size).toBe(1);
        await terminal.press("C-c");
        await terminal.until("Go on with: hypo resume");
        await expectShell(terminal);
      });
    });
  });

  it("saves on Ctrl-C, says how to go on, and leaves the terminal as it was", async () => {
    await withHeldWorld(hanging, async ({ project, hold, facts }) => {
      await withTerminal({ cwd: project.folder, env: project.env }, async (terminal) => {
        await terminal.run("echo be''fore");
        await terminal.run(`${ASK}; echo "exit $?"`);
        await hold.untilReached("second");
        await terminal.until("検索");
        await terminal.press("C-c");
        const lines = await terminal.until("exit 130");
        // What was on the screen is there again, with the last view and the way to go on below it.
        expect(lines).toContain("before");
        expect(lines.join("\n")).toContain("The run is saved. Go on with: hypo resume");
        expect((await facts()).at(-1)?.type).toBe("run_paused");
        await expectShell(terminal);
      });
    });
  });

  it("gives the shell its terminal on Ctrl-Z and on SIGTSTP, and draws anew on fg", async () => {
    await withHeldWorld(hanging, async ({ project, hold }) => {
      await withTerminal({ cwd: project.folder, env: project.env }, async (terminal) => {
        await terminal.run(ASK);
        await hold.untilReached("second");
        await terminal.until("検索");
        for (const suspend of [
          () => terminal.press("C-z"),
          async () => process.kill(z.object({ pid: z.int() }).parse(await (await project.run()).status()).pid, "SIGTSTP"),
        ]) {
          await suspend();
          await terminal.until("Stopped");
          await expectShell(terminal);
          await terminal.run("fg");
          await expect.poll(() => terminal.isOtherScreen(), { timeout: 60_000 }).toBe(true);
          expectWholeView(await terminal.until("検索"), 100, 30);
          await terminal.press("?");
          await terminal.until("Keys and signs");
          await terminal.press("Escape");
          await terminal.until("検索");
        }
      });
    });
  });

  it("steers, pauses and cancels with keys what another process works on, and leaves it at work with q", async () => {
    await withHeldWorld(hanging, async ({ project, hold, fact }) => {
      const running = project.start(["run", "How many comparisons does merge sort need?"], { timeoutMs: 300_000 });
      await hold.untilReached("second");
      await withTerminal({ cwd: project.folder, env: project.env }, async (terminal) => {
        await terminal.run('hypo resume last; echo "exit $?"');
        await terminal.until("検索");
        await terminal.press("s");
        await terminal.until("To root ");
        await terminal.type("Mind the constant factors.");
        await terminal.press("Enter");
        await terminal.until("root gets the message with its next step.");
        await terminal.press("p");
        await terminal.until("Paused: main.");
        await terminal.press("p");
        await terminal.until("Goes on: main.");
        await terminal.press("Down", "Enter");
        await terminal.until("Count swaps.");
        await terminal.press("Escape");
        await terminal.until("› ");
        await terminal.press("q");
        const left = await terminal.until("exit 0");
        expect(left.join("\n")).toMatch(/still at work. Come back with: hypo resume \d{8}-/);
        await expectShell(terminal);

        await terminal.run('clear; hypo resume last; echo "exit $?"');
        await terminal.until("検索");
        await terminal.press("Down", "c");
        await terminal.until("and all below it? y/n");
        await terminal.press("y");
        await terminal.until("Cancelled: root.1.");
        await fact((each) => each.type === "agent_finished" && each.data.agent === "root.1" && each.data.outcome === "cancelled");
        hold.release("second");
        const ended = await terminal.until("exit 0");
        expect(ended.join("\n")).toContain("goal_achieved");
        await expectShell(terminal);
      });
      const steered = await fact((each) => each.type === "agent_steered" && each.data.by === "person");
      expect(steered.data).toMatchObject({ agent: "root" });
      await fact(isOf("run_finished"));
      expect((await running.ended).code).toBe(0);
    });
  });

  it("goes on in the background after q, and where the terminal is closed", async () => {
    await withHeldWorld(hanging, async ({ project, hold, fact, hypo }) => {
      await withTerminal({ cwd: project.folder, env: project.env }, async (terminal) => {
        await terminal.run(`${ASK}; echo "exit $?"`);
        await hold.untilReached("second");
        await terminal.until("検索");
        await terminal.press("q");
        const left = await terminal.until("exit 0");
        expect(left.join("\n")).toMatch(/at work in the background. Come back to it with: hypo resume \d{8}-/);
        await expectShell(terminal);
        await terminal.run("clear; hypo resume last");
        await terminal.until("検索");
      });
      // That view was of the process in the background: the terminal it had is closed now, and it is still at work.
      await hypo(["stop", "last"]);
      await fact((each) => each.type === "run_paused");
      await withTerminal({ cwd: project.folder, env: project.env }, async (terminal) => {
        await terminal.run("hypo resume last");
        await terminal.until("検索");
        await terminal.until("● ");
      });
      await expect.poll(async () => (await hypo(["runs", "--json"])).stdout, { timeout: 60_000, interval: 500 }).toContain('"running"');
      hold.release("second", "never");
      await fact(isOf("run_finished"));
    });
  });

  it("draws nothing where the terminal is dumb", async () => {
    await withHeldWorld(hanging, async ({ project, hold }) => {
      await withTerminal({ cwd: project.folder, env: project.env }, async (terminal) => {
        await terminal.run(`TERM=dumb ${ASK}; echo "exit $?"`);
        await hold.untilReached("second");
        await terminal.until("spawned by root");
        expect(await terminal.isOtherScreen()).toBe(false);
        await terminal.press("C-c");
        await terminal.until("exit 130");
      });
    });
  });

  it("pages long output, and ends quietly when the pager is quit", async () => {
    await withProject(async (project) => {
      await withTerminal({ cwd: project.folder, env: project.env, columns: 80, rows: 12 }, async (terminal) => {
        await terminal.run('PAGER=less hypo help errors; echo "exit $?"');
        await terminal.until("Error codes");
        expect(await terminal.screen()).not.toContain("exit 0");
        await terminal.press("q");
        await terminal.until("exit 0");
        await terminal.run('clear; hypo help errors --no-pager; echo "exit $?"');
        await terminal.until("exit 0");
        await terminal.run('clear; PAGER=less hypo help exit-codes; echo "exit $?"');
        await terminal.until("exit 0");
        await expectShell(terminal);
      });
    });
  });
});
