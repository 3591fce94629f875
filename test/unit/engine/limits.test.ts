import { describe, expect, test } from "vitest";
import { BUDGET_DEFAULT, LIMITS_DEFAULT } from "../../../src/domain/limit-defaults.ts";
import { timeLeft } from "../../../src/engine/decide/agent-time.ts";
import { affordCall } from "../../../src/engine/decide/spend.ts";
import { decideStop } from "../../../src/engine/decide/stop.ts";
import { evolve, project } from "../../../src/engine/state/evolve.ts";
import { emptyLedger } from "../../../src/engine/state/ledger.ts";
import type { RunState } from "../../../src/engine/state/run-state.ts";
import { runStarted, spawned } from "./fact-lists.ts";
import { sampleSpec } from "../../support/samples.ts";
import { factOf } from "./facts.ts";

/** A run after so many iterations, of which the last `fruitless` brought nothing. */
function runAfter(iterations: number, fruitless: number, limits: Partial<RunState["limits"]> = {}): RunState {
  const state = project([factOf("run_started", { ...runStarted().data, limits: { ...LIMITS_DEFAULT, ...limits } }, 1)]);
  for (let iteration = 1; iteration <= iterations; iteration += 1) {
    const findings = iteration > iterations - fruitless ? 0 : 1;
    const progress = { findings, closed_questions: 0, contradictions: 0, verdicts: 0 };
    evolve(
      state,
      factOf("iteration_closed", { iteration, by: "supervisor", call: null, claim: "continue", reason: "", progress }, iteration + 1),
    );
  }
  return state;
}

const beganAt = (state: RunState): number => state.clock.since ?? 0;

describe("a limit of the loop lets as much through as it says, and stops the run then, naming itself", () => {
  test.each([1, 2, 12])("iterations %i", (iterations) => {
    const stopAfter = (done: number) => {
      const state = runAfter(done, 0, { iterations });
      return decideStop(state, beganAt(state));
    };
    expect(stopAfter(iterations - 1)).toBeUndefined();
    expect(stopAfter(iterations)).toEqual({ reason: "iteration_limit", detail: `${iterations} iterations are done (limit iterations)` });
  });

  test.each([1, 3])("iterations_without_progress %i", (fruitless) => {
    const stopAfter = (count: number) => {
      const state = runAfter(count + 1, count, { iterations_without_progress: fruitless });
      return decideStop(state, beganAt(state));
    };
    expect(stopAfter(fruitless - 1)).toBeUndefined();
    expect(stopAfter(fruitless)).toMatchObject({
      reason: "no_progress",
      detail: expect.stringContaining("limit iterations_without_progress") as string,
    });
  });

  test.each([0.5, 4])("hours %d", (hours) => {
    const state = runAfter(1, 0);
    state.budget = { ...BUDGET_DEFAULT, hours };
    const end = beganAt(state) + hours * 3_600_000;
    expect(decideStop(state, end - 1)).toBeUndefined();
    expect(decideStop(state, end)).toEqual({ reason: "wall_time", detail: `${hours} hours of work are over (budget hours)` });
  });
});

describe("the limit agent_minutes", () => {
  function treeAt(minutes: number, starts: Record<string, number>): RunState {
    const state = project([factOf("run_started", { ...runStarted().data, limits: { ...LIMITS_DEFAULT, agent_minutes: minutes } }, 1)]);
    for (const [agent, after] of Object.entries(starts)) {
      const { data } = spawned(agent) as Extract<ReturnType<typeof spawned>, { type: "agent_spawned" }>;
      evolve(state, factOf("agent_spawned", { ...data, spec: sampleSpec(agent) }, 2));
      const known = state.agents.get(agent);
      if (known) known.startedAfter = after;
    }
    return state;
  }

  test("leaves an agent its last millisecond and none after it", () => {
    const state = treeAt(2, { root: 0, "root.1": 10_000 });
    expect(timeLeft(state, "root.1", 10_000 + 2 * 60_000 - 1)).toBe(1);
    expect(timeLeft(state, "root.1", 10_000 + 2 * 60_000)).toBe(0);
  });

  test("is never longer than what the agents above have left, and does not bind the supervisor", () => {
    const state = treeAt(2, { root: 0, "root.1": 0, "root.1.1": 90_000 });
    expect(timeLeft(state, "root.1.1", 100_000)).toBe(20_000);
    expect(timeLeft(state, "root", 10 * 3_600_000)).toBe(Number.POSITIVE_INFINITY);
  });

  test("counts from when the agent was set to work", () => {
    const state = treeAt(2, { root: 0 });
    const spec = sampleSpec("root.1");
    evolve(state, factOf("agent_spawned", { agent: "root.1", parent: "root", call: null, mode: "deferred", spec, spec_sha256: "" }, 2));
    expect(timeLeft(state, "root.1", 3_600_000)).toBe(2 * 60_000);
  });
});

describe("the budget of tokens", () => {
  test("lets a call through that fits to the last token, and refuses one that is a token larger", () => {
    const [input, answer] = [5000, 1024];
    const ask = (tokens: number) => {
      const state = runAfter(0, 0);
      state.budget = { usd: null, tokens, hours: 4 };
      evolve(
        state,
        factOf(
          "agent_spawned",
          { agent: "root", parent: null, call: null, mode: "foreground", spec: sampleSpec("root"), spec_sha256: "" },
          2,
        ),
      );
      const model = { ref: "p/m", provider: "p", id: "m", contextWindow: 200_000, maxTokens: 8192, price: undefined };
      return affordCall(state, emptyLedger(), { agent: "root", model, input, thinks: false });
    };
    expect(ask(input + answer)).toMatchObject({ affordable: true, tokens: input + answer, maxTokens: answer });
    expect(ask(input + answer - 1)).toMatchObject({
      affordable: false,
      why: `${input + answer - 1} of ${input + answer - 1} tokens are left, less than another answer may cost`,
    });
  });
});
