import { beforeAll, describe, expect, it } from "vitest";
import { call, failFirst, say } from "../support/scenario.ts";
import type { Fault } from "../support/scripted/answer.ts";
import { answerAfter, answerAlone, spawn } from "./support/parts.ts";
import { askQuestion, research, resumeLast, withWorld, type Outcome, type Script } from "./support/world.ts";

const TASKS = [
  "the depth of heaps",
  "the memory of radix sort",
  "the inventor of shellsort",
  "the name of bogosort",
  "the use of bitonic networks",
  "the cost of swaps",
  "the age of quicksort",
];

const spawnAll = (count: number) =>
  TASKS.slice(0, count).map((task, place) => spawn(`Reader ${place + 1}`, `Find out ${task}.`, { background: true }));

describe("a provider that asks for a pause", () => {
  interface Asked {
    agent: string;
    at: number;
  }
  const PAUSE_MS = 1000;
  let outcome: Outcome;
  let asked: Asked[];
  let refusedAt: number;

  beforeAll(async () => {
    asked = [];
    const script: Script = (turn, site) => {
      asked.push({ agent: turn.agent.id, at: Date.now() });
      if (turn.agent.id === "root") return answerAfter(turn, site, ...spawnAll(3));
      if (turn.agent.id === "root.1" && turn.answers === 2) {
        if (turn.attempt === 0) refusedAt = Date.now();
        return failFirst(turn, 1, { kind: "status", status: 429, retryAfter: PAUSE_MS / 1000 }, say("I waited."));
      }
      return turn.answers < 12 ? { ...call("find", { glob: `*.${turn.agent.id}.${turn.answers}` }), delayMs: 20 } : say("Nothing there.");
    };
    outcome = await research(script);
  });

  it("is left alone by every agent for as long as it asked", () => {
    const after = asked.map(({ agent, at }) => ({ agent, wait: at - refusedAt })).filter(({ wait }) => wait > 250);
    expect(Math.min(...after.map(({ wait }) => wait))).toBeGreaterThanOrEqual(PAUSE_MS - 5);
    expect(new Set(after.map(({ agent }) => agent))).toEqual(new Set(["root", "root.1", "root.2", "root.3"]));
  });

  it("loses nobody's work by it, and costs nothing for the refusal", () => {
    expect(outcome.endings).toEqual({ "root.1": "completed", "root.2": "completed", "root.3": "completed" });
    expect(outcome.all("spend_charged")).toEqual([expect.objectContaining({ usd: 0, tokens: 0, reason: "rate_limited" })]);
    expect(outcome.stderr).toContain("The model's provider asks for a pause of 1 s; every agent waits.");
    expect(outcome.code).toBe(0);
  });
});

describe("faults that pass", () => {
  const FAULTS: [name: string, fault: Fault, reason: string, isCharged: boolean][] = [
    ["a server error", { kind: "status", status: 500 }, "server_error", false],
    ["an overloaded server", { kind: "status", status: 529, message: "overloaded" }, "server_error", false],
    ["a refused connection", { kind: "refused" }, "cut", false],
    ["a stream that is cut", { kind: "cut" }, "cut", true],
    ["a stream that ends without its end", { kind: "nofinish" }, "cut", true],
    ["an error in mid-stream", { kind: "midstream", message: "upstream went away" }, "cut", true],
    ["a stream that falls silent", { kind: "hang", afterChunks: 2 }, "silent", true],
  ];
  let outcome: Outcome;
  let attempts: Map<string, number>;

  beforeAll(async () => {
    attempts = new Map();
    const script: Script = (turn, site) => {
      const { id } = turn.agent;
      if (id === "root") return answerAfter(turn, site, ...spawnAll(FAULTS.length));
      attempts.set(id, turn.attempt + 1);
      const [, fault] = FAULTS[Number(id.split(".")[1]) - 1] ?? [];
      if (!fault) throw new Error(`no fault for ${id}`);
      return failFirst(turn, 1, fault, say("Here is what I found: it works the second time."));
    };
    outcome = await research(script, { config: { stream_idle_seconds: 1.5, limits: { streaming: 8 } } });
  });

  it.each(FAULTS.map(([name, , reason, isCharged], place) => ({ name, reason, isCharged, agent: `root.${place + 1}` })))(
    "$name is asked again, and the agent never knows",
    ({ agent, reason, isCharged }) => {
      expect(attempts.get(agent)).toBe(2);
      expect(outcome.all("agent_finished").find((each) => each.agent === agent)).toMatchObject({
        outcome: "completed",
        result: "Here is what I found: it works the second time.",
      });
      const failed = outcome.all("spend_reserved").find((each) => each.agent === agent);
      const charge = outcome.all("spend_charged").find(({ reservation }) => reservation === failed?.reservation);
      expect(charge).toMatchObject({ reason, usd: isCharged ? failed?.usd : 0, tokens: isCharged ? failed?.tokens : 0 });
    },
  );

  it("end in an answered run", () => {
    expect(outcome.code).toBe(0);
    expect(outcome.all("model_answered").filter(({ agent }) => agent !== "root")).toHaveLength(FAULTS.length);
  });
});

describe("a model that cannot be asked", () => {
  const CREDENTIALS = { code: 4, says: "The model's provider refused the credentials: ", hint: "`pi` and `/login`" };
  const CASES = [
    { who: "the supervisor at its work", agent: "root", answers: 2, status: 401, ...CREDENTIALS },
    { who: "the supervisor at its report", agent: "root", answers: 3, status: 401, ...CREDENTIALS },
    { who: "a child", agent: "root.1", answers: 0, status: 401, ...CREDENTIALS },
    {
      who: "the supervisor at its work",
      agent: "root",
      answers: 2,
      status: 400,
      code: 1,
      says: "The model could not be asked: ",
      hint: "",
    },
  ];

  it.each(CASES)("ends the run with exit code $code on HTTP $status for $who, and resuming goes on", async (given) => {
    const { agent, answers, status, code, says, hint } = given;
    const fault: Fault = { kind: "status", status, message: "this key is not welcome" };
    await withWorld(
      (turn, site) => {
        const isRefused = turn.agent.id === agent && turn.request.headers.authorization !== "Bearer right-key";
        if (isRefused && turn.answers === answers) return { ...say("never"), fault };
        if (turn.agent.id !== "root") return say("I could be asked.");
        return agent === "root" || turn.answers > 0 ? answerAlone(turn, site) : spawn("Reader", "Find out the depth of heaps.");
      },
      async (world) => {
        const left = await askQuestion(world);
        expect(left.code).toBe(code);
        expect(left.stderr).toContain(says);
        expect(left.stderr).toContain("this key is not welcome");
        expect(left.stderr).toContain(hint);
        expect(left.stderr).toMatch(/Nothing that was recorded is lost\. Go on with: hypo resume \S+/);
        expect(world.model.requests.filter(({ outcome }) => outcome === "faulted")).toHaveLength(1);
        expect(left.all("run_finished")).toEqual([]);
        expect(left.report).toContain("This report was written by code");

        const run = await world.project.run();
        const [recorded, asked] = [await run.recordedAnswers(), world.model.requests.length];
        await world.project.useModel(world.model.url, { apiKey: "right-key" });
        const resumed = await resumeLast(world);
        expect(resumed.code).toBe(0);
        expect(world.model.askedAgain(recorded, asked)).toEqual([]);
        expect(resumed.all("finding_published")).toHaveLength(1);
        expect(resumed.all("run_finished")).toEqual([expect.objectContaining({ reason: "goal_achieved", answered: true })]);
      },
    );
  });
});
