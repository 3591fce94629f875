import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerGate, schemaProblem } from "../../../src/engine/gates.ts";
import { runFolder } from "../../../src/engine/run-folder.ts";
import type { GateRecord } from "../../../src/engine/state/run-state.ts";
import { errorOf, makeTestFolder } from "../journal/support.ts";

function gateWith(more: Partial<GateRecord> = {}): GateRecord {
  const gate = { gate: "g-1", seq: 41, agent: "root", call: "c", prompt: "Which?", options: [], allowedEvents: ["ANSWER"] };
  return { ...gate, outputSchema: undefined, answer: undefined, ...more };
}

describe("a gate", () => {
  it("keeps the first answer: the same again is fine, another one conflicts", async () => {
    const folder = runFolder(await makeTestFolder(), "r");
    expect(await answerGate(folder, "main", gateWith(), { event: "ANSWER", output: { a: 1, b: 2 } })).toBe("answered");
    expect(await answerGate(folder, "main", gateWith(), { event: "ANSWER", output: { b: 2, a: 1 } })).toBe("repeated");
    expect((await errorOf(() => answerGate(folder, "main", gateWith(), { event: "ANSWER", output: { a: 2 } }))).message).toContain(
      "differently already",
    );
    const kept = JSON.parse(await readFile(join(folder.path, "gates/main/41/resolution.json"), "utf8")) as unknown;
    expect(kept).toEqual({ v: 1, event: "ANSWER", output: { a: 1, b: 2 } });
  });

  it("gets one answer from many who answer at once", async () => {
    const folder = runFolder(await makeTestFolder(), "r");
    const answers = Array.from({ length: 12 }, (_, output) => answerGate(folder, "main", gateWith(), { event: "ANSWER", output }));
    const settled = await Promise.allSettled(answers);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("is answered on each branch by itself", async () => {
    const folder = runFolder(await makeTestFolder(), "r");
    expect(await answerGate(folder, "main", gateWith(), { event: "ANSWER", output: 1 })).toBe("answered");
    expect(await answerGate(folder, "side", gateWith(), { event: "ANSWER", output: 2 })).toBe("answered");
  });

  const schema = { type: "object", properties: { n: { type: "integer", minimum: 1 } }, required: ["n"], additionalProperties: false };
  it.each<[string, Partial<GateRecord>, { event: string; output?: unknown }, RegExp]>([
    ["an event that it does not allow", {}, { event: "SKIP" }, /does not take the event SKIP/],
    ["the event FAILED, even where it is listed", { allowedEvents: ["FAILED"] }, { event: "FAILED" }, /does not take the event FAILED/],
    ["what is not one of its options", { options: [{ label: "A", value: "a" }] }, { event: "ANSWER", output: "b" }, /one of its options/],
    ["an output that does not fit its schema", { outputSchema: schema }, { event: "ANSWER", output: { n: 0 } }, /does not fit gate 41/],
    ["no output where its schema needs one", { outputSchema: schema }, { event: "ANSWER" }, /does not fit gate 41/],
  ])("refuses %s", async (_what, gate, answer, why) => {
    const folder = runFolder(await makeTestFolder(), "r");
    const error = await errorOf(() => answerGate(folder, "main", gateWith(gate), answer));
    expect(error).toMatchObject({ code: "refused", message: expect.stringMatching(why) as string });
  });

  it("names its options so that they can be pasted", async () => {
    const options = ["a b", "no'; touch pwned; '"].map((value) => ({ label: "L", value }));
    const folder = runFolder(await makeTestFolder(), "r");
    const error = await errorOf(() => answerGate(folder, "main", gateWith({ options }), { event: "ANSWER" }));
    expect(error).toMatchObject({ hint: `--output '"a b"' or '"no'\\''; touch pwned; '\\''"'` });
  });

  it("takes an output that fits its schema", async () => {
    const folder = runFolder(await makeTestFolder(), "r");
    expect(await answerGate(folder, "main", gateWith({ outputSchema: schema }), { event: "ANSWER", output: { n: 3 } })).toBe("answered");
  });

  it("is not opened with a schema that nothing can be checked against", () => {
    expect(schemaProblem(schema)).toBeUndefined();
    expect(schemaProblem({ type: "nonsense" })).toBeDefined();
  });
});
