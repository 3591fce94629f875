import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/domain/events.ts";
import { call, say, together } from "../support/scenario.ts";
import { answerAlone, withHeldWorld, type HeldScript } from "./support/held-world.ts";

const spawn = (name: string, goal: string) => call("spawn_agent", { name, goal, background: true });

/** The supervisor starts two agents and waits for them; one of them hangs until it is cancelled. */
const withChildren: HeldScript = async (turn, { site, hold }) => {
  if (turn.agent.id === "root.1") {
    await hold.at("never");
    return say("Too late.");
  }
  if (turn.agent.id === "root.2") return say("Nothing to find.");
  if (turn.answers === 0)
    return together(spawn("hanging", "Count swaps of bubble sort."), spawn("quick", "Find the inventor of shellsort."));
  if (turn.answers === 1) {
    await hold.at("second");
    return call("research_control", { action: "status" });
  }
  if (turn.answers === 2) {
    await hold.at("third");
    return call("agent_control", { action: "wait" });
  }
  return answerAlone(turn, site);
};

const isOf = (type: Fact["type"]) => (fact: Fact) => fact.type === type;

describe("a run at work", () => {
  it("is steered, paused, let go on, forked and rid of an agent from another terminal, and ends with its answer", async () => {
    await withHeldWorld(withChildren, async ({ project, model, hold, hypo, facts, fact }) => {
      const running = project.start(["run", "How many comparisons does merge sort need?"], { timeoutMs: 200_000 });
      await hold.untilReached("second");

      const steered = await hypo(["steer", "last", "root", "Mind the constant factors.", "--json"]);
      expect(JSON.parse(steered.stdout)).toMatchObject({ v: 1, message: "root gets the message with its next step." });
      hold.release("second");
      const message = await fact((each) => each.type === "agent_steered" && each.data.by === "person");
      expect(message.data).toMatchObject({ agent: "root", mode: "steer", after: 2 });
      await hold.untilReached("third");
      const heard = model.requests.findLast(({ agent }) => agent === "root")?.request.messages ?? [];
      expect(
        heard.filter(({ role, text }) => role === "user" && text.includes("Mind the constant factors.")).map(({ text }) => text),
      ).toHaveLength(1);

      expect((await hypo(["pause", "last"])).stdout).toContain("Paused: main.");
      expect((await hypo(["pause", "last"])).stdout).toContain("It was paused already.");
      hold.release("third");
      await fact((each) => each.type === "tool_started" && each.data.tool === "agent_control");
      expect((await hypo(["cancel", "last", "root"], 1)).stderr).toContain("hypo stop");
      expect((await hypo(["cancel", "last", "root.2"], 1)).stderr).toContain("root.2 has ended (completed)");
      expect((await hypo(["steer", "last", "root.9", "Hello"], 2)).stderr).toContain("Unfinished are: root, root.1.");
      expect((await hypo(["cancel", "last", "root.1", "--json"])).stdout).toContain("Cancelled: root.1.");
      const ended = await fact((each) => each.type === "agent_finished" && each.data.agent === "root.1");
      expect(ended.data).toMatchObject({ outcome: "cancelled", reason: "cancelled by a person" });

      const asked = model.requests.length;
      await sleep(600);
      expect(model.requests).toHaveLength(asked);
      expect((await hypo(["fork", "last", "--from", "4", "--as", "side"])).stdout).toContain("Branch side begins after fact 4.");
      expect((await hypo(["fork", "last", "--from", "5", "--as", "Side"], 1)).stderr).toContain("has a branch side already");
      expect((await hypo(["rewind", "last", "--branch", "main", "--to", "4"], 1)).stderr).toContain("only a stopped one can be rewound");
      expect((await hypo(["unpause", "last"])).stdout).toContain("Goes on: main.");

      expect(await running.ended).toMatchObject({ code: 0 });
      expect(model.scriptErrors).toEqual([]);
      const [paused, resumed] = [(await facts()).find(isOf("run_paused")), (await facts()).find(isOf("run_resumed"))];
      const pause = Date.parse(resumed?.at ?? "") - Date.parse(paused?.at ?? "");
      const all = await facts();
      const whole = Date.parse(all.at(-1)?.at ?? "") - Date.parse(all[0]?.at ?? "");
      const shown = JSON.parse((await hypo(["show", "last", "--json"])).stdout) as { elapsed_seconds: number };
      expect(shown.elapsed_seconds).toBeLessThanOrEqual(Math.ceil((whole - pause) / 1000));
      await expectFastAnswers(await project.run());
    });
  });

  it("can be watched by another process that leaves it at work, and refuses a second writer", async () => {
    await withHeldWorld(withChildren, async ({ project, hold, hypo }) => {
      const running = project.start(["run", "How many comparisons does merge sort need?"], { timeoutMs: 200_000 });
      await hold.untilReached("second");
      const watcher = project.start(["resume", "last", "--json"], { timeoutMs: 100_000 });
      await watcher.line((line) => line.includes("at work in another process"));
      hold.release("second");
      await watcher.line((line, stream) => stream === "stdout" && line.includes('"tool":"research_control"'));
      watcher.kill("SIGINT");
      expect(await watcher.ended).toMatchObject({ code: 0, stderr: expect.stringContaining("still at work") as string });
      expect((await hypo(["resume", "last", "--max-cost", "9"], 1)).stderr).toContain("its limits are raised when it is set to work again");

      const second = project.start(["resume", "last"], { timeoutMs: 100_000 });
      await second.line((line) => line.includes("at work in another process"));
      expect((await hypo(["runs", "--active", "--json"])).stdout).toContain('"state":"running"');
      hold.release("third");
      await hypo(["cancel", "last", "root.1"]);
      expect(await running.ended).toMatchObject({ code: 0 });
      const seen = await second.ended;
      expect(seen).toMatchObject({ code: 0 });
      expect(seen.stderr).toContain("run completed: goal_achieved");
    });
  });

  it("whose process died is marked as stopped without a signal to anyone, and a message waits for its resume", async () => {
    await withHeldWorld(withChildren, async ({ project, model, hold, hypo, fact, facts }) => {
      const running = project.start(["run", "How many comparisons does merge sort need?"], { timeoutMs: 200_000 });
      await hold.untilReached("second");
      running.kill("SIGKILL");
      await running.ended;
      expect((await hypo(["pause", "last"], 1)).stderr).toContain("No process is at work");
      const run = await project.run();
      // As if the pid were in use again: a process that started at another time is not the recorded one.
      const status = (await run.status()) as { pid: number };
      await writeFile(join(run.path, "status.json"), JSON.stringify({ ...status, pid: process.pid }));
      expect((await hypo(["stop", "--all"])).stdout).toContain("marked as stopped");
      expect(await run.status()).toMatchObject({ state: "stopped", branches: [] });
      expect((await hypo(["stop", "last"])).stderr).toContain("is not at work");

      expect((await hypo(["steer", "last", "root", "Mind the constant factors."])).stdout).toContain("when the run goes on");
      hold.release("second", "third");
      const resumed = project.start(["resume", "last"], { timeoutMs: 200_000 });
      const steered = (each: Fact): boolean => each.type === "agent_steered" && each.data.by === "person";
      await fact(steered);
      await fact((each) => each.type === "tool_started" && each.data.tool === "agent_control");
      await hypo(["cancel", "last", "root.1"]);
      expect(await resumed.ended).toMatchObject({ code: 0 });
      expect((await facts()).filter(steered)).toHaveLength(1);
      expect(model.scriptErrors).toEqual([]);
    });
  });
});

/** Every request was answered within a second, however long the command that asked took to start. */
async function expectFastAnswers(run: { path: string; facts: () => Promise<Fact[]> }): Promise<void> {
  for (const fact of await run.facts()) {
    if (fact.type !== "agent_steered" || !fact.data.request?.startsWith("c-")) continue;
    const request = JSON.parse(await readFile(join(run.path, "control", `${fact.data.request}.json`), "utf8")) as { at: string };
    const answer = JSON.parse(await readFile(join(run.path, "control", `${fact.data.request}.ack.json`), "utf8")) as { ok: boolean };
    expect(answer.ok).toBe(true);
    expect(Date.parse(request.at)).toBeLessThanOrEqual(Date.parse(fact.at));
  }
}
