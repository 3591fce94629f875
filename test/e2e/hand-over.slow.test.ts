import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { processIdentity } from "../../src/files/process-identity.ts";
import { hasTmux, withTerminal, type Terminal } from "../support/terminal.ts";
import { answerAlone, withHeldWorld, type HeldScript } from "./support/held-world.ts";

/** A supervisor that publishes and then answers only once it is let go. */
const held: HeldScript = async (turn, { site, hold }) => {
  if (turn.has("publish_finding")) await hold.at("finish");
  return answerAlone(turn, site);
};

interface Status {
  state: string;
  pid: number;
}

/** How a person leaves the run, given the terminal and the pid of its process. */
type Leave = (terminal: Terminal, pid: number) => Promise<void>;

const pressQ: Leave = async (terminal) => {
  await terminal.press("q");
  await terminal.until("Come back to it with: hypo resume");
};
const closeTerminal: Leave = async (_terminal, pid) => void process.kill(pid, "SIGHUP");

async function untilGone(pid: number): Promise<void> {
  while (processIdentity(pid) !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe.skipIf(!hasTmux())("a run at a terminal", () => {
  it.each([
    ["the person presses q", pressQ],
    ["the terminal is closed", closeTerminal],
  ])("goes on in the background when %s, without asking anything twice", async (_when, leave) => {
    await withHeldWorld(held, async ({ project, model, hold, fact }) => {
      await withTerminal({ cwd: project.folder, env: project.env }, async (terminal) => {
        await terminal.run('hypo run --on-gate wait "How many comparisons does merge sort need?"');
        await hold.untilReached("finish");
        await terminal.until("iteration");
        const run = await project.run();
        const status = async (): Promise<Status> => (await run.status()) as Status;
        const { pid } = await status();
        await leave(terminal, pid);
        const changed = async (): Promise<Status> => {
          for (;;) {
            const now = await status();
            if (now.pid !== pid && now.state === "running") return now;
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        };
        const background = await changed();
        await untilGone(pid);
        expect(execFileSync("ps", ["-o", "args=", "-p", String(background.pid)], { encoding: "utf8" })).toContain("--on-gate=wait");
        const [recorded, asked] = [await run.recordedAnswers(), model.requests.length];
        hold.release("finish");
        expect(await fact(({ type }) => type === "run_finished")).toMatchObject({ data: { answered: true } });
        expect((await run.facts()).filter(({ type }) => type === "run_paused")).toMatchObject([{ data: { reason: "detached" } }]);
        expect(model.askedAgain(recorded, asked)).toEqual([]);
        await untilGone(background.pid);
      });
    });
  });
});
