import { appendFile, readFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { EventType } from "../../src/domain/events.ts";
import type { RunFolder } from "../support/run-folder.ts";
import { agentScript, call, failFirst, say } from "../support/scenario.ts";
import type { Fault, Respond } from "../support/scripted/answer.ts";
import { hasDocker } from "./support/engine.ts";
import { soundOutcome } from "./support/outcome.ts";
import { between, pickSeed, seededRandom } from "./support/random.ts";
import { expectEnd, withRig, type Rig } from "./support/rig.ts";
import { QUESTION, smallRun } from "./support/small-run.ts";

const seed = pickSeed();
const docker = hasDocker();

let undisturbed: unknown;

beforeAll(async () => {
  await withRig({ script: smallRun, docker }, async (rig) => {
    expectEnd(await rig.hypo(["run", QUESTION]), { code: 0 });
    undisturbed = await soundOutcome(rig);
  });
}, 120_000);

function inSmallRun<T>(use: (rig: Rig) => Promise<T>): Promise<T> {
  return withRig({ script: smallRun, docker }, use);
}

async function killAt(rig: Rig, crashAt: string): Promise<void> {
  expectEnd(await rig.hypo(["run", QUESTION], { crashAt }), { signal: "SIGKILL" });
}

describe("a run that is killed again while it is resumed", () => {
  test("goes on each time where it was, and comes to the end of an undisturbed one", async () => {
    await inSmallRun(async (rig) => {
      await killAt(rig, "tool.done:5");
      for (const crashAt of [
        "model.answered",
        "tool.recorded:2",
        "model.recorded:3",
        "agent.spawned",
        "report.files_written",
        "report.recorded",
      ]) {
        expectEnd(await rig.resume({ crashAt }), { signal: "SIGKILL" });
      }
      expectEnd(await rig.resume(), { code: 0 });
      expect(await soundOutcome(rig)).toEqual(undisturbed);
    });
  });
});

describe(`a journal whose end is torn off (KILL_SEED=${seed})`, () => {
  const points = [
    "model.recorded:5",
    "tool.done:6",
    "tool.recorded:9",
    "finding.recorded:2",
    "plan.recorded",
    "experiment.started",
    "run.stopping",
  ];

  test.each(points.map((point, index) => [point, index] as const))(
    "somewhere in its last records, after a kill at %s, loses no more",
    async (point, index) => {
      const random = seededRandom(seed + index);
      await inSmallRun(async (rig) => {
        await killAt(rig, point);
        const cut = await tearOff(await rig.run(), random);
        const resumed = await rig.resume();
        expectEnd(resumed, { code: 0 });
        expect(cut.isWhole || resumed.stderr.includes("Moved the unfinished last line of the journal"), `cut at ${cut.byte}`).toBe(true);
        expect(await soundOutcome(rig)).toEqual(undisturbed);
      });
    },
  );

  const parts: { of: string; crashAt: string; keep: EventType }[] = [
    { of: "a finding", crashAt: "finding.recorded:2", keep: "finding_published" },
    { of: "a plan", crashAt: "plan.recorded", keep: "plan_registered" },
    { of: "the start of an experiment", crashAt: "experiment.started", keep: "experiment_started" },
    { of: "the end of an experiment", crashAt: "tool.done:13", keep: "tool_started" },
    { of: "a review and its verdict", crashAt: "tool.done:15", keep: "hypothesis_moved" },
    { of: "a result and the message that comes with it", crashAt: "tool.recorded:14", keep: "tool_finished" },
  ];
  test.each(parts)("between the facts of $of, is completed", async ({ crashAt, keep }) => {
    await inSmallRun(async (rig) => {
      await killAt(rig, crashAt);
      await cutAfterLast(await rig.run(), keep);
      expectEnd(await rig.resume(), { code: 0 });
      expect(await soundOutcome(rig)).toEqual(undisturbed);
    });
  });

  test.each<EventType>(["finding_published", "review_recorded", "conclusion_kept", "run_finished"])(
    "before %s of a run that was over, has it made again as it was, and nothing diverges",
    async (type) => {
      await inSmallRun(async (rig) => {
        expectEnd(await rig.hypo(["run", QUESTION]), { code: 0 });
        const run = await rig.run();
        const notes = await rig.project.notes();
        const missing = (await run.factsOf(type)).length === 0;
        if (!missing) await cutBeforeLast(run, type);
        expectEnd(await rig.resume(), { code: missing ? 1 : 0 });
        const verified = await rig.hypo(["verify", run.id]);
        expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining("Nothing diverges.")]);
        const kept = await rig.project.notes();
        expect(kept.filter(({ path }) => path.startsWith("findings/"))).toEqual(notes.filter(({ path }) => path.startsWith("findings/")));
      });
    },
  );

  test("within the facts that begin a run, says that the run never began", async () => {
    await inSmallRun(async (rig) => {
      await killAt(rig, "run.created");
      await cutAfterLast(await rig.run(), "run_started");
      const resumed = await rig.resume();
      expectEnd(resumed, { code: 1 });
      expect(resumed.stderr).toMatch(/never began[\s\S]*hypo run/);
    });
  });

  test("anywhere but at its end is damage: named by line and byte, and nothing is touched", async () => {
    await inSmallRun(async (rig) => {
      await killAt(rig, "tool.done:6");
      const file = join((await rig.run()).path, "journal.jsonl");
      await truncate(file, (await stat(file)).size - 5);
      await appendFile(file, '\n{"v":1}\n');
      const before = await readFile(file);
      const resumed = await rig.hypo(["resume", "last"]);
      expectEnd(resumed, { code: 1 });
      expect(resumed.stderr).toMatch(/damaged at line \d+ \(byte \d+\)/);
      expect(await readFile(file)).toEqual(before);
    });
  });
});

/** Cuts the journal at a byte of its last three records. */
async function tearOff(run: RunFolder, random: () => number): Promise<{ byte: number; isWhole: boolean }> {
  const file = join(run.path, "journal.jsonl");
  const text = await readFile(file);
  let from = text.length - 1;
  for (let records = 0; records < 3; records += 1) from = text.lastIndexOf("\n", from - 1);
  const byte = between(random, from + 1, text.length - 1);
  await truncate(file, byte);
  return { byte, isWhole: text[byte - 1] === 0x0a };
}

/** Cuts the journal some bytes into the last fact of a type. */
async function cutBeforeLast(run: RunFolder, type: EventType): Promise<void> {
  const file = join(run.path, "journal.jsonl");
  const text = await readFile(file, "utf8");
  await truncate(file, Buffer.byteLength(text.slice(0, text.lastIndexOf(`"type":"${type}"`) + 5)));
}

/** Cuts the journal behind the last fact of a type. */
async function cutAfterLast(run: RunFolder, type: EventType): Promise<void> {
  const file = join(run.path, "journal.jsonl");
  const text = await readFile(file, "utf8");
  const end = text.indexOf("\n", text.lastIndexOf(`"type":"${type}"`)) + 1;
  expect(end).toBeGreaterThan(1);
  await truncate(file, Buffer.byteLength(text.slice(0, end)));
}

describe("a message on its way when hypo is killed", () => {
  /** A worker that thinks for a while about its first answer, and meanwhile gets a message from its parent. */
  const script: Respond = agentScript((turn) => {
    if (turn.agent.name === "Worker") {
      return { ...(turn.answers === 0 ? call("agent_control", { action: "list" }) : say("Done.")), delayMs: turn.answers === 0 ? 1500 : 0 };
    }
    switch (turn.answers) {
      case 0:
        return call("spawn_agent", { name: "Worker", goal: "Work on this for a while.", background: true });
      case 1:
        return call("agent_control", { action: "steer", agent: "root.1", message: "Mind the gap." });
      case 2:
        return call("agent_control", { action: "wait" });
      case 3:
        return call("research_control", { action: "close_iteration", reason: "Done.", external_only: true });
      default:
        return say("Nothing more.");
    }
  });

  test.each(["tool.done:2", "tool.recorded:2", "model.answered:3"])("at %s reaches its agent once", async (crashAt) => {
    await withRig({ script: () => script }, async (rig) => {
      await killAt(rig, crashAt);
      await rig.resume();
      const messages = (await (await rig.run()).factsOf("agent_steered")).filter(({ data }) => data.agent === "root.1");
      expect(messages.map(({ data }) => data.message)).toEqual(["Message from your parent: Mind the gap."]);
    });
  });
});

describe("a run whose model could not be asked", () => {
  // What the provider refuses ends a child, and leaves a run only where its supervisor is refused; credentials concern all.
  const faults: { fault: Fault; exit: number; of: string[] }[] = [
    { fault: { kind: "status", status: 401 }, exit: 4, of: ["root 3", "root.1 1"] },
    { fault: { kind: "status", status: 400 }, exit: 1, of: ["root 3"] },
  ];
  test.each(faults)("because of $fault goes on when it is resumed, as if nothing had been", async ({ fault, exit, of }) => {
    const script = (site: string): Respond => {
      const respond = smallRun(site);
      return agentScript(async (turn) => {
        const answer = await respond(turn.request);
        const fails = of.includes(`${turn.agent.id} ${turn.answers}`);
        return fails ? failFirst(turn, 1, fault, answer) : answer;
      });
    };
    await withRig({ script, docker }, async (rig) => {
      const first = await rig.hypo(["run", QUESTION]);
      expectEnd(first, { code: exit });
      expect(first.stderr).toContain("hypo resume");
      for (let left = 3; (await rig.resume()).code === exit && left > 0; left -= 1);
      expect(await soundOutcome(rig)).toEqual(undisturbed);
    });
  });
});
