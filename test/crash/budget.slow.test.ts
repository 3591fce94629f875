import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Fact } from "../../src/domain/events.ts";
import { agentScript, call, say, together, type Turn } from "../support/scenario.ts";
import type { RequestRecord } from "../support/scripted/question-log.ts";
import { answersAboveReservation, mostHeldUsd } from "./support/outcome.ts";
import { between, pickSeed, seededRandom } from "./support/random.ts";
import { expectEnd, withRig, type Rig, type RigOptions } from "./support/rig.ts";

const QUESTION = "What is there to say about each of these methods?";
const AGENTS = 32;
const KILLS = 4;
const CAP = 7;
const COST = { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 0 };

const seed = pickSeed();

test(`32 agents that ask at once, killed ${KILLS} times, never cost more than the cap, and nothing twice (KILL_SEED=${seed})`, async () => {
  const random = seededRandom(seed);
  const options: RigOptions = {
    script: () => spenders(),
    config: { budget: { usd: CAP }, limits: { active: AGENTS + 1, children: AGENTS, streaming: AGENTS } },
    agentDir: { cost: COST, maxTokens: 2048 },
  };
  await withRig(options, async (rig) => {
    expectEnd(await killAfterAnswers(rig, ["run", QUESTION], AGENTS + between(random, 5, 30)), { signal: "SIGKILL" });
    expect(rig.model.maxActive).toBe(AGENTS);
    await expectWithinCap(rig);
    for (let kill = 2; kill <= KILLS; kill += 1) {
      const run = await rig.run();
      const [recorded, asked] = [await run.recordedAnswers(), rig.model.requests.length];
      expectEnd(await killAfterAnswers(rig, ["resume", run.id], between(random, 1, AGENTS)), { signal: "SIGKILL" });
      expect(rig.model.askedAgain(recorded, asked)).toEqual([]);
      await expectWithinCap(rig);
    }
    expectEnd(await rig.resume({ timeoutMs: 300_000 }), { code: 3 });
    await expectWithinCap(rig);

    const run = await rig.run();
    expect(await run.factsOf("run_finished")).toMatchObject([{ data: { reason: "budget_exhausted", answered: false } }]);
    expect(await mostHeldUsd(run)).toBeGreaterThan(CAP * 0.9);
    // What kills have left reserved stays out of reach, and the rest was really spent.
    expect(served(rig.model.requests)).toBeGreaterThan(CAP / 4);

    // A fork at the very beginning inherits what all branches have spent.
    const [asked, end] = [rig.model.requests.length, (await run.facts()).length];
    expectEnd(await rig.hypo(["fork", run.id, "--from", "2", "--as", "anew"]), { code: 0 });
    expectEnd(await rig.hypo(["resume", run.id, "--branch", "anew"]), { code: 3 });
    expect(rig.model.requests).toHaveLength(asked);
    expect((await run.facts()).slice(end).flatMap((fact) => (fact.type === "run_finished" ? fact.data.reason : []))).toEqual([
      "budget_exhausted",
    ]);
  });
});

/** The supervisor starts 32 agents at once; none of them ever has enough, and each first answer waits for all the others. */
function spenders(): ReturnType<RigOptions["script"]> {
  const first = new Set<string>();
  const allThere = Promise.withResolvers<void>();
  return agentScript(async (turn) => {
    const answer = turn.agent.id === "root" ? supervise(turn) : call("find", { glob: `*.${turn.agent.id}.${turn.answers}` });
    if (turn.agent.id !== "root" && turn.answers === 0) {
      first.add(turn.agent.id);
      if (first.size === AGENTS) allThere.resolve();
      await allThere.promise;
    }
    return { ...answer, usage: usageOf(turn), delayMs: 30 };
  });
}

function supervise({ answers }: Turn) {
  if (answers === 0)
    return together(
      ...METHODS.map((method) => call("spawn_agent", { name: method, goal: `Find out all about ${method}.`, background: true })),
    );
  return answers === 1 ? call("agent_control", { action: "wait", seconds: 3600 }) : say("Nothing more.");
}

/** Nearly a token a byte, which is the bound that hypo reckons with, and answers of any length up to what was asked for. */
function usageOf({ agent, answers, request: { bytes, maxTokens = 0 } }: Turn) {
  const share = seededRandom(agent.id.length * 1000 + answers * 37 + Number(agent.id.split(".")[1] ?? 0))();
  return { input: Math.floor(bytes * 0.9), output: Math.ceil(maxTokens * (share < 0.5 ? 1 : share)) };
}

/** Kills the process once the model has been asked so often since its start. */
async function killAfterAnswers(rig: Rig, args: string[], requests: number) {
  const wanted = rig.model.requests.length + requests;
  const program = rig.start(args, { timeoutMs: 300_000 });
  while (rig.model.requests.length < wanted) {
    const isOver = await Promise.race([program.ended.then(() => true), sleep(5, false)]);
    if (isOver) break;
  }
  program.kill("SIGKILL");
  return program.ended;
}

/** Neither by the fold over all facts nor by what the provider would charge, cut answers as whole ones, is the cap passed. */
async function expectWithinCap(rig: Rig): Promise<void> {
  const run = await rig.run();
  const facts = await run.facts();
  const { spent, held } = countSpend(facts);
  expect(await mostHeldUsd(run)).toBeLessThanOrEqual(CAP);
  expect(spent + held).toBeLessThanOrEqual(CAP);
  expect(served(rig.model.requests)).toBeLessThanOrEqual(spent + held + 1e-9);
  expect(await answersAboveReservation(run)).toEqual([]);
}

function served(requests: readonly RequestRecord[]): number {
  return requests.reduce((sum, { answer }) => {
    const { input = 0, output = 0 } = answer?.usage ?? {};
    return sum + (input * COST.input + output * COST.output) / 1e6;
  }, 0);
}

/** Spent and still reserved, counted here by the rules of the journal; a reservation is made once and settled once at most. */
function countSpend(facts: Fact[]): { spent: number; held: number } {
  const open = new Map<string, number>();
  const seen = new Set<string>();
  const strange: unknown[] = [];
  let spent = 0;
  for (const { type, data, seq } of facts) {
    if (type === "spend_reserved") {
      if (seen.has(data.reservation)) strange.push({ seq, again: data.reservation });
      seen.add(data.reservation);
      open.set(data.reservation, data.usd);
    } else if (type === "model_answered" || type === "spend_charged") {
      if (!open.delete(data.reservation)) strange.push({ seq, settles: data.reservation });
      spent += type === "model_answered" ? data.usage.usd : data.usd;
    }
  }
  expect(strange).toEqual([]);
  return { spent, held: [...open.values()].reduce((sum, usd) => sum + usd, 0) };
}

const METHODS = [
  "bubble sort",
  "heaps",
  "quicksort",
  "shellsort",
  "radix keys",
  "tries",
  "hashing",
  "bitonic networks",
  "skip lists",
  "red-black trees",
  "suffix arrays",
  "bloom filters",
  "union-find",
  "Dijkstra's algorithm",
  "dynamic programming",
  "simulated annealing",
  "Huffman codes",
  "run-length encoding",
  "Fourier transforms",
  "matrix products",
  "prime sieves",
  "elliptic curves",
  "garbage collection",
  "register allocation",
  "parsing expressions",
  "type inference",
  "lock-free queues",
  "consensus protocols",
  "vector clocks",
  "page replacement",
  "branch prediction",
  "error correction",
];
