import { beforeAll, describe, expect, it } from "vitest";
import type { FixtureSite } from "../support/fixture-site.ts";
import { call, say, type Turn } from "../support/scenario.ts";
import type { ScriptedAnswer } from "../support/scripted/answer.ts";
import { answerAfter, isAskedForReport, read, spawn } from "./support/parts.ts";
import { research, type Outcome } from "./support/world.ts";

const CLOSED = call("web_read", { url: "http://127.0.0.1:1/closed" });

function script(turn: Turn, site: FixtureSite): ScriptedAnswer {
  const background = { background: true };
  switch (turn.agent.id) {
    case "root":
      return answerAfter(
        turn,
        site,
        spawn("Garbler", "Find out how many comparisons quicksort makes.", background),
        spawn("Looper", "Find out how much memory heapsort takes.", background),
        spawn("Mute", "Find out who invented shellsort.", background),
        spawn("Shy", "Find out why bogosort is slow.", background),
      );
    case "root.1":
      return garble(turn, site);
    case "root.2":
      return CLOSED;
    case "root.4":
      return turn.lastUser.startsWith("You ended without a result") ? say("It shuffles.") : {};
    default:
      return {};
  }
}

function garble(turn: Turn, site: FixtureSite): ScriptedAnswer {
  const mistakes = [
    call("web_read", `{"url": "${site.origin}/index.html", "offset": `),
    call("web_read", { url: ["not", "a", "text"], offset: "far" }),
    call("publish_finding", { type: "rumour", statement: 5 }),
    call("web_lookup", { url: `${site.origin}/index.html` }),
    read(site, "index.html"),
  ];
  return mistakes[turn.answers] ?? say("I found my way in the end.");
}

describe("agents whose models misbehave", () => {
  let outcome: Outcome;

  beforeAll(async () => {
    outcome = await research(script);
  });

  it("are told what is wrong with their arguments, and go on", () => {
    const [cut, types, rumour] = outcome.heard("root.1");
    expect(cut).toMatch(/web_read/);
    expect(types).toMatch(/web_read[\s\S]*url/);
    expect(rumour).toMatch(/publish_finding[\s\S]*type/);
    expect(outcome.endings["root.1"]).toBe("completed");
  });

  it("are told when there is no such tool", () => {
    expect(outcome.heard("root.1")[3]).toMatch(/web_lookup not found/);
    expect(outcome.heard("root.1")[4]).toContain("Sorting Notes");
  });

  it("have no effect through a call that was wrong", () => {
    expect(outcome.all("tool_started").filter(({ agent }) => agent === "root.1")).toEqual([
      expect.objectContaining({ tool: "web_read", args: expect.objectContaining({ url: expect.stringContaining("/index.html") }) }),
    ]);
    expect(outcome.all("finding_published").map(({ agent }) => agent)).toEqual(["root"]);
  });

  it("get advice after the same failing call for the third time, and are ended after the sixth", () => {
    expect(outcome.results("root.2", "web_read")).toHaveLength(6);
    const advice = outcome.all("agent_steered").filter(({ agent }) => agent === "root.2");
    expect(advice).toEqual([expect.objectContaining({ by: "engine", mode: "steer" })]);
    expect(advice[0]?.message).toContain("You have made the same web_read call 3 times with the same result.");
    expect(outcome.endings["root.2"]).toBe("failed: it made the same web_read call 6 times with the same result");
  });

  it("are asked once more for a result that they did not give", () => {
    const askedAgain = (id: string): number =>
      outcome.all("agent_steered").filter(({ agent, request }) => agent === id && request === "result").length;
    expect([askedAgain("root.3"), askedAgain("root.4")]).toEqual([1, 1]);
    expect(outcome.endings["root.3"]).toBe("no_result: it ended twice without a result");
    expect(outcome.all("agent_finished").find(({ agent }) => agent === "root.4")).toMatchObject({
      outcome: "completed",
      result: "It shuffles.",
    });
  });

  it("do not keep the run from its report", () => {
    expect(outcome.code).toBe(0);
    expect(outcome.all("report_written")).toEqual([expect.objectContaining({ by: "supervisor" })]);
  });
});

describe("a supervisor that never closes an iteration", () => {
  let outcome: Outcome;

  beforeAll(async () => {
    const config = { limits: { iterations_without_progress: 2 } };
    outcome = await research((turn) => say(isAskedForReport(turn) ? "No report from me." : `Thinking, ${turn.answers}.`), { config });
  });

  it("has its iterations closed by the engine and is stopped for want of progress", () => {
    expect(outcome.all("iteration_closed").map(({ by, claim }) => [by, claim])).toEqual([
      ["engine", "none"],
      ["engine", "none"],
    ]);
    expect(outcome.all("run_stopping")).toEqual([
      { reason: "no_progress", detail: "2 iterations in a row brought nothing new (limit iterations_without_progress)" },
    ]);
  });

  it("leaves a report written by code, and exit code 3", () => {
    expect(outcome.code).toBe(3);
    expect(outcome.stderr).toContain("The run ended without an answer: no_progress");
    expect(outcome.all("report_written")).toEqual([
      expect.objectContaining({ by: "code", answered: false, why_code: "the supervisor handed in no report" }),
    ]);
    expect(outcome.report).toContain("This report was written by code from the run's record alone: the supervisor handed in no report");
    expect(outcome.stdout.trim()).toBe(outcome.report.trim());
  });
});

describe("a supervisor that goes round in a circle", () => {
  it("is stopped with a report written by code", async () => {
    const outcome = await research(() => CLOSED);
    expect(outcome.results("root", "web_read")).toHaveLength(6);
    expect(outcome.all("run_stopping")).toEqual([
      { reason: "no_progress", detail: "the supervisor was ended: it made the same web_read call 6 times with the same result" },
    ]);
    expect(outcome.all("report_written")).toEqual([expect.objectContaining({ by: "code", answered: false })]);
    expect(outcome.code).toBe(3);
  });
});
