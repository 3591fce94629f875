import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { hasDocker } from "./support/engine.ts";
import { answersAboveReservation, mostHeldUsd, soundOutcome } from "./support/outcome.ts";
import { between, pickSeed, seededRandom } from "./support/random.ts";
import { expectEnd, withRig, type Rig, type RigOptions } from "./support/rig.ts";
import { wideRun } from "./support/wide-run.ts";

const QUESTION = "What is known about sorting short arrays?";
const KILLS = 10;

const seed = pickSeed();
const docker = hasDocker();

describe(`a run of 30 agents, killed at random moments (KILL_SEED=${seed})`, () => {
  test("comes to the findings and verdicts of an undisturbed run, and asks for nothing again that was recorded", async () => {
    const options: RigOptions = { script: (site) => wideRun(site, 25), config: { budget: { usd: 20 } }, docker };
    const undisturbed = await withRig(options, async (rig) => {
      expectEnd(await rig.hypo(["run", QUESTION], { timeoutMs: 300_000 }), { code: 0 });
      return inAnyOrder(await soundOutcome(rig));
    });
    expect(undisturbed).toMatchObject({ report: { by: "supervisor" }, hypotheses: [{ verdict: docker ? "supported" : "testable" }] });
    expect(undisturbed.agents).toHaveLength(30);

    await withRig(options, async (rig) => {
      const random = seededRandom(seed);
      expectEnd(await killOnItsWay(rig, ["run", QUESTION], random), { signal: "SIGKILL" });
      for (let kill = 2; kill <= KILLS; kill += 1) {
        const folder = await rig.run();
        const [recorded, asked] = [await folder.recordedAnswers(), rig.model.requests.length];
        expectEnd(await killOnItsWay(rig, ["resume", folder.id], random), { signal: "SIGKILL" });
        expect(rig.model.askedAgain(recorded, asked)).toEqual([]);
      }
      expectEnd(await rig.resume({ timeoutMs: 300_000 }), { code: 0 });
      expect(inAnyOrder(await soundOutcome(rig))).toEqual(undisturbed);
      expect(await mostHeldUsd(await rig.run())).toBeLessThan(20);
    });
  });

  test("never holds more money than its cap, though every answer is as long as it may be and a token is two bytes", async () => {
    const cap = 2;
    const script: RigOptions["script"] = (site) => {
      const respond = wideRun(site, 25);
      return async (request) => ({
        ...(await respond(request)),
        usage: { input: Math.ceil(request.bytes / 2), output: request.maxTokens ?? 0 },
      });
    };
    await withRig({ script, config: { budget: { usd: cap }, limits: { streaming: 16 } } }, async (rig) => {
      const random = seededRandom(seed);
      expectEnd(await killOnItsWay(rig, ["run", QUESTION], random), { signal: "SIGKILL" });
      expectEnd(await killOnItsWay(rig, ["resume", "last"], random), { signal: "SIGKILL" });
      await rig.resume({ timeoutMs: 300_000 });
      const held = await mostHeldUsd(await rig.run());
      expect(held).toBeLessThanOrEqual(cap);
      expect(await answersAboveReservation(await rig.run())).toEqual([]);
      expect(held).toBeGreaterThan(cap / 2);
      expect(await (await rig.run()).factsOf("run_finished")).toMatchObject([{ data: { reason: "budget_exhausted" } }]);
      await soundOutcome(rig);
    });
  });
});

/** Kills the process a moment after it has told of so much progress. */
async function killOnItsWay(rig: Rig, args: string[], random: () => number) {
  const [lines, ms] = [between(random, 1, 18), between(random, 0, 60)];
  const program = rig.start(args, { timeoutMs: 300_000 });
  let seen = 0;
  await program.line(() => (seen += 1) >= lines);
  await sleep(ms);
  program.kill("SIGKILL");
  return program.ended;
}

/** Who publishes, ends or reports first is chance. */
function inAnyOrder(outcome: Record<string, unknown>): Record<string, unknown> {
  const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return Object.fromEntries(Object.entries(outcome).map(([key, value]) => [key, Array.isArray(value) ? value.toSorted(byText) : value]));
}
