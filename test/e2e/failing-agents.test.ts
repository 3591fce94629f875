import { beforeAll, describe, expect, it } from "vitest";
import type { FixtureSite } from "../support/fixture-site.ts";
import { call, say, together, type Turn } from "../support/scenario.ts";
import type { ScriptedAnswer } from "../support/scripted/answer.ts";
import { answerAlone, spawn } from "./support/parts.ts";
import { askQuestion, withWorld, type Outcome } from "./support/world.ts";

const NEVER: ScriptedAnswer = { ...say("Nobody waits for this."), delayMs: 60_000 };

/** One child's model refuses, one never answers, and one is cancelled while its own child is at work. */
function makeScript(): (turn: Turn, site: FixtureSite) => Promise<ScriptedAnswer> {
  const grandchildAsked = Promise.withResolvers<void>();
  return async (turn, site) => {
    switch (turn.agent.id) {
      case "root":
        if (turn.answers === 0) {
          return together(
            spawn("Broken", "Find out how many comparisons quicksort makes.", { background: true }),
            spawn("Slow", "Find out how much memory heapsort takes.", { background: true }),
            spawn("Unwanted", "Find out who invented shellsort.", { background: true }),
          );
        }
        if (turn.answers === 1) {
          await grandchildAsked.promise;
          return call("agent_control", { action: "cancel", agent: "root.3" });
        }
        if (turn.answers === 2) return call("agent_control", { action: "wait" });
        return answerAlone(turn, site);
      case "root.1":
        return { ...say("Never said."), fault: { kind: "status", status: 400, message: "the model does not like this" } };
      case "root.3":
        return spawn("Biographer", "Look for the year of birth of Donald Shell.");
      case "root.3.1":
        grandchildAsked.resolve();
        return NEVER;
      default:
        return NEVER;
    }
  };
}

describe("a run whose agents fail, take too long or are cancelled", () => {
  let outcome: Outcome;
  let aborted: string[];

  beforeAll(async () => {
    const config = { limits: { agent_minutes: 0.06 } };
    await withWorld(
      makeScript(),
      async (world) => {
        outcome = await askQuestion(world);
        aborted = world.model.requests.filter((request) => request.outcome === "aborted").map(({ agent }) => agent);
      },
      { config },
    );
  });

  it("records an agent whose model refuses its request as failed, with the provider's words", () => {
    expect(outcome.endings["root.1"]).toMatch(/^failed: model_unavailable: .*the model does not like this/);
  });

  it("ends an agent at its time limit and names the limit", () => {
    expect(outcome.endings["root.2"]).toBe("timed_out: its 0.06 minutes are over (limit agent_minutes)");
  });

  it("cancels an agent with everything below it, at once", () => {
    expect(outcome.endings).toMatchObject({ "root.3": "cancelled: cancelled by root", "root.3.1": "cancelled: cancelled by root" });
    expect(outcome.results("root", "agent_control")[0]).toMatchObject({ ok: true, text: "Cancelled: root.3.1, root.3." });
    const at = (type: string, agent: string): number =>
      Date.parse(outcome.facts.findLast((fact) => fact.type === type && "agent" in fact.data && fact.data.agent === agent)?.at ?? "");
    const asked = Date.parse(outcome.facts.find((fact) => fact.type === "tool_started" && fact.data.tool === "agent_control")?.at ?? "");
    for (const agent of ["root.3", "root.3.1"]) expect(at("agent_finished", agent) - asked).toBeLessThan(1000);
  });

  it("takes the requests of ended agents back from the provider", () => {
    expect(aborted.toSorted()).toEqual(["root.2", "root.3.1"]);
  });

  it("tells the parent how each of them ended", () => {
    const told = outcome.results("root", "agent_control")[1]?.text ?? "";
    expect(told).toContain("Agent root.1 (Broken) failed (model_unavailable: ");
    expect(told).toContain("Agent root.2 (Slow) timed_out (its 0.06 minutes are over (limit agent_minutes)).");
    expect(told).toContain("Agent root.3 (Unwanted) cancelled (cancelled by root).");
  });

  it("goes on without them to a report that says so", () => {
    expect(outcome.code).toBe(0);
    expect(outcome.all("run_finished")).toEqual([expect.objectContaining({ state: "completed", reason: "goal_achieved" })]);
    for (const end of ["failed", "timed_out", "cancelled"]) expect(outcome.report).toContain(`: ${end}`);
  });
});
