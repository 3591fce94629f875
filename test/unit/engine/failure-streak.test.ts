import { describe, expect, test } from "vitest";
import type { ModelAnswer } from "../../../src/domain/model.ts";
import { FailureStreak } from "../../../src/engine/agent/failure-streak.ts";

interface Step {
  tool?: string;
  args?: unknown;
  isError?: boolean;
  text?: string;
}

/** Plays calls with their results, one an answer, and gives the length of the streak after each. */
function play(steps: Step[]): number[] {
  const streak = new FailureStreak();
  return steps.map(({ tool = "web_read", args = { url: "a" }, isError = true, text = "no" }, index) => {
    const id = `c${index}`;
    streak.remember(answerWith([{ id, name: tool, args }]));
    const noted = streak.note([{ callId: id, isError, text }]);
    expect(noted.tool).toBe(tool);
    return noted.count;
  });
}

function answerWith(toolCalls: ModelAnswer["toolCalls"]): ModelAnswer {
  return {
    message: {},
    text: "",
    toolCalls,
    stopReason: "tool_use",
    usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, usd: 0 },
  };
}

describe("an agent goes round in a circle", () => {
  test.each<[string, Step[], number[]]>([
    ["when the same call fails again and again, whatever the message", [{ text: "a" }, { text: "b" }, { text: "c" }], [1, 2, 3]],
    ["when the same call brings the same result", [{ isError: false }, { isError: false }, { isError: false }], [1, 2, 3]],
    ["also when the arguments come in another order", [{ args: { a: 1, b: 2 } }, { args: { b: 2, a: 1 } }], [1, 2]],
    ["not when the arguments change", [{ args: { n: 1 } }, { args: { n: 2 } }, { args: { n: 3 } }], [1, 1, 1]],
    [
      "not when the same call brings something new",
      [
        { isError: false, text: "1" },
        { isError: false, text: "2" },
      ],
      [1, 1],
    ],
    ["not when the tool changes", [{ tool: "read" }, { tool: "ls" }], [1, 1]],
    ["anew after something else came in between", [{}, {}, { tool: "ls" }, {}, {}], [1, 2, 1, 1, 2]],
  ])("%s", (_, steps, counts) => {
    expect(play(steps)).toEqual(counts);
  });

  test("counts calls of one batch too, and results that belong to no call are passed over", () => {
    const streak = new FailureStreak();
    const failed = (callId: string) => ({ callId, isError: true, text: "no" });
    streak.remember(answerWith(["a", "b", "c"].map((id) => ({ id, name: "ls", args: {} }))));
    expect(streak.note(["a", "b", "c", "stranger"].map(failed))).toEqual({ count: 3, tool: "ls", due: "advise" });
    expect(streak.note([])).toEqual({ count: 3, tool: "ls", due: "nothing" });
  });

  test.each<[string, number[], string[]]>([
    [
      "after the third time, once, and is ended after the sixth",
      [1, 1, 1, 1, 1, 1],
      ["nothing", "nothing", "advise", "nothing", "nothing", "end"],
    ],
    ["also where a batch of calls leaps over the third", [2, 2, 2], ["nothing", "advise", "end"]],
    ["once where it is asked again without having called anything", [3, 0, 0, 1], ["advise", "nothing", "nothing", "nothing"]],
  ])("is advised %s", (_, batches, due) => {
    const streak = new FailureStreak();
    const noted = batches.map((size, batch) => {
      const ids = Array.from({ length: size }, (_each, place) => `${batch}-${place}`);
      streak.remember(answerWith(ids.map((id) => ({ id, name: "ls", args: {} }))));
      return streak.note(ids.map((callId) => ({ callId, isError: true, text: "no" }))).due;
    });
    expect(noted).toEqual(due);
  });

  test("is advised again when it has begun another circle", () => {
    const streak = new FailureStreak();
    const turn = (name: string) => {
      streak.remember(answerWith([{ id: "c", name, args: {} }]));
      return streak.note([{ callId: "c", isError: true, text: "no" }]).due;
    };
    expect(["ls", "ls", "ls", "read", "read", "read"].map(turn).filter((due) => due === "advise")).toHaveLength(2);
  });
});
