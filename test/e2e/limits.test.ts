import { beforeAll, describe, expect, it } from "vitest";
import { call, say, together } from "../support/scenario.ts";
import { answerAlone, spawn } from "./support/parts.ts";
import { askQuestion, research, withWorld, type Outcome, type Script } from "./support/world.ts";

const GOAL = "Find out how many comparisons binary insertion sort makes on short arrays.";

/** root.1 goes as deep as it may; root.2 repeats its task, then declares a replication, then spawns one too many. */
const pushLimits: Script = (turn, site) => {
  const tries = turn.results("spawn_agent").length;
  switch (turn.agent.id) {
    case "root":
      if (tries === 0) return spawn("Deep", GOAL);
      if (tries === 1) return spawn("Copier", "Find out what merging costs.");
      return tries === 2 ? spawn("Third", "Find out who needs bitonic networks.") : answerAlone(turn, site);
    case "root.1":
      return tries === 0 ? spawn("Deeper", "Find out how fast binary search is.") : say("As deep as it goes.");
    case "root.1.1":
      return tries === 0 ? spawn("Deepest", "Find out what a comparison is.") : say("No deeper.");
    case "root.2":
      if (tries === 0) return spawn("Same", `Please ${GOAL.toLowerCase()}`);
      if (tries === 1) return spawn("Replica", GOAL, { replication_of: "root.1", independent_context: true });
      return tries === 2 ? spawn("Sixth", "Find out when heaps are best.") : say("That is enough.");
    default:
      return say("Replicated.");
  }
};

describe("limits of the tree", () => {
  let outcome: Outcome;
  const refusal = (agent: string, nth: number): string => {
    const result = outcome.results(agent, "spawn_agent")[nth];
    expect(result).toMatchObject({ ok: false });
    return result?.text ?? "";
  };

  beforeAll(async () => {
    outcome = await research(pushLimits, { config: { limits: { depth: 2, children: 2, agents: 5 } } });
  });

  it("let as many agents through as they say", () => {
    expect(outcome.code).toBe(0);
    expect(outcome.all("agent_spawned").map(({ agent }) => agent)).toEqual(["root", "root.1", "root.1.1", "root.2", "root.2.1"]);
  });

  it("refuse an agent one level too deep, by the limit's name and value", () => {
    expect(refusal("root.1.1", 0)).toBe("The tree may be 2 levels deep (limit depth), and this agent would be at 3. Do the task yourself.");
  });

  it("refuse one child too many, by the limit's name and value", () => {
    expect(refusal("root", 2)).toMatch(/^You have spawned 2 agents, the limit for you \(children 2\)\./);
  });

  it("refuse one agent too many in the run, by the limit's name and value", () => {
    expect(refusal("root.2", 2)).toMatch(/^The run has 5 agents, its limit \(agents 5\)\./);
  });

  it("refuse a task that another agent has, and name that agent", () => {
    expect(refusal("root.2", 0)).toMatch(/^root\.1 \(Deep\) has (the same|nearly the same) task\. .*replication_of: "root\.1"/);
  });

  it("let a declared replication through", () => {
    expect(outcome.results("root.2", "spawn_agent")[1]).toMatchObject({ ok: true });
    expect(outcome.all("agent_spawned").at(-1)?.spec).toMatchObject({ replication_of: "root.1", independent_context: true });
  });
});

describe("the limit of unfinished agents", () => {
  it("refuses one more at a time, and takes it when another has ended", async () => {
    const other = spawn("Second", "Find out the memory of radix sort.");
    const script: Script = (turn, site) => {
      if (turn.agent.id !== "root") return { ...say("Done."), delayMs: 300 };
      if (turn.answers === 0) return together(spawn("First", "Find out the depth of heaps.", { background: true }), other);
      if (turn.answers === 1) return call("agent_control", { action: "wait" });
      return turn.answers === 2 ? other : answerAlone(turn, site);
    };
    const outcome = await research(script, { config: { limits: { active: 2 } } });
    const tries = outcome.results("root", "spawn_agent");
    expect(tries.map(({ ok }) => ok)).toEqual(expect.arrayContaining([true, false, true]));
    expect(tries.find(({ ok }) => !ok)?.text).toMatch(/^2 agents are unfinished, the limit at once \(active 2\)\./);
    expect(outcome.endings).toEqual({ "root.1": "completed", "root.2": "completed" });
    expect(outcome.code).toBe(0);
  });
});

describe("the limit of answers that stream at once", () => {
  it("is reached and never passed, however many agents there are", async () => {
    const tasks = ["heaps", "radix sort", "shellsort", "bogosort", "bitonic networks", "swaps"];
    const script: Script = (turn, site) => {
      if (turn.agent.id !== "root") return { ...say("Done with it."), delayMs: 150 };
      if (turn.answers === 0) return together(...tasks.map((task) => spawn(task, `Find out the origin of ${task}.`)));
      return answerAlone(turn, site);
    };
    await withWorld(
      script,
      async (world) => {
        const outcome = await askQuestion(world);
        expect(outcome.code).toBe(0);
        expect(Object.keys(outcome.endings)).toHaveLength(tasks.length);
        expect(world.model.maxActive).toBe(2);
      },
      { config: { limits: { streaming: 2 } } },
    );
  });
});
