import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/domain/events.ts";
import { PERSON_CRASH_POINTS } from "../../src/engine/crash-points.ts";
import { call } from "../support/scenario.ts";
import { answerAlone, withHeldWorld, type HeldScript, type HeldWorld } from "../e2e/support/held-world.ts";

const QUESTION = "How many comparisons does merge sort need?";
const JOURNAL_POINTS = ["lock.taken", "journal.before_write", "journal.after_write", "journal.after_sync", "journal.before_release"];

interface Branches {
  branches: { branch: string; head: number }[];
}

async function heads({ hypo }: HeldWorld): Promise<Record<string, number>> {
  const { branches } = JSON.parse((await hypo(["branches", "last", "--json"])).stdout) as Branches;
  return Object.fromEntries(branches.map(({ branch, head }) => [branch, head]));
}

describe("a process that is killed", () => {
  it("while it forks or rewinds leaves the branch as it was or as it was to be, and doing it again ends the same", async () => {
    const alone: HeldScript = (turn, { site }) => answerAlone(turn, site);
    await withHeldWorld(alone, async (world) => {
      const { project, hypo, facts } = world;
      await hypo(["run", QUESTION]);
      const before = await facts();
      const end = before.at(-1)?.seq ?? 0;
      for (const [place, point] of JOURNAL_POINTS.entries()) {
        const fork = ["fork", "last", "--from", "3", "--as", `b${place}`];
        expect(await project.hypo(fork, { crashAt: point })).toMatchObject({ signal: "SIGKILL" });
        expect([undefined, 3]).toContain((await heads(world))[`b${place}`]);
        await hypo(fork);
        const rewind = ["rewind", "last", "--branch", "main", "--to", String(end - place - 1)];
        expect(await project.hypo(rewind, { crashAt: point })).toMatchObject({ signal: "SIGKILL" });
        expect([end - place, end - place - 1]).toContain((await heads(world))["main"]);
        await hypo(rewind);
        expect(await heads(world)).toMatchObject({ main: end - place - 1, [`b${place}`]: 3 });
      }
      expect(await facts()).toEqual(before);
    });
  });

  it.each(PERSON_CRASH_POINTS.filter((point) => point.startsWith("gate")))("at %s opens one gate and takes one answer", async (point) => {
    const asking: HeldScript = (turn, { site }) =>
      turn.answers === 0 ? call("research_control", { action: "ask_user", prompt: "What is to be counted?" }) : answerAlone(turn, site);
    await withHeldWorld(asking, async ({ project, hypo, fact, facts }) => {
      const running = project.start(["run", QUESTION, "--on-gate", "wait"], { crashAt: point, timeoutMs: 200_000 });
      const gate = await fact((each) => each.type === "gate_opened");
      if (point === "gate.answered") await hypo(["respond", "last", String(gate.seq), "--output", '"swaps"']);
      expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
      if (point === "gate.opened") await hypo(["respond", "last", String(gate.seq), "--output", '"swaps"']);
      expect((await hypo(["respond", "last", String(gate.seq), "--output", '"swaps"', "--json"])).stdout).toContain('"outcome":"repeated"');
      await hypo(["respond", "last", String(gate.seq), "--output", '"moves"'], 1);
      await hypo(["resume", "last"]);
      const all = await facts();
      const of = (type: Fact["type"]): Fact[] => all.filter((each) => each.type === type);
      expect([of("gate_opened"), of("gate_answered")].map(({ length }) => length)).toEqual([1, 1]);
      expect(of("gate_answered")[0]?.data).toMatchObject({ event: "ANSWER", output: "swaps" });
    });
  });

  it.each(PERSON_CRASH_POINTS.filter((point) => point.startsWith("control")))(
    "at %s has its resume deliver the message, once",
    async (point) => {
      const held: HeldScript = async (turn, { site, hold }) => {
        if (turn.answers > 0) return answerAlone(turn, site);
        await hold.at("first");
        return call("research_control", { action: "status" });
      };
      await withHeldWorld(held, async ({ project, hypo, hold, facts, model }) => {
        const running = project.start(["run", QUESTION], { crashAt: point, timeoutMs: 200_000 });
        await hold.untilReached("first");
        expect((await hypo(["steer", "last", "root", "Mind the constants."])).stdout).toContain("when the run goes on");
        expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
        hold.release("first");
        // The message is recorded with the first answer; the process dies once more right after it.
        expect(await project.hypo(["resume", "last"], { crashAt: "model.recorded" })).toMatchObject({ signal: "SIGKILL" });
        await hypo(["resume", "last"]);
        const steered = (await facts()).filter((each) => each.type === "agent_steered" && each.data.by === "person");
        expect(steered).toHaveLength(1);
        const last = model.requests.at(-1)?.request.messages ?? [];
        expect(last.filter(({ text }) => text.includes("Mind the constants."))).toHaveLength(1);
        const run = await project.run();
        const request = steered.map(({ data }) => ("request" in data ? data.request : undefined)).at(0) ?? "";
        expect(JSON.parse(await readFile(join(run.path, "control", `${request}.ack.json`), "utf8"))).toMatchObject({ ok: true });
      });
    },
  );
});
