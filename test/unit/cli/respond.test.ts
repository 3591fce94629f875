import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { respondCommand } from "../../../src/cli/commands/respond.ts";
import { stores } from "../../../src/cli/stores.ts";
import type { EventData } from "../../../src/domain/events.ts";
import { FactList, RUN } from "./a-run.ts";
import { runOnDisk, type RunOnDisk } from "./run-on-disk.ts";
import { testIo } from "./test-io.ts";

const gate = (id: string, more: Partial<EventData<"gate_opened">> = {}): EventData<"gate_opened"> => ({
  gate: id,
  agent: "root",
  call: `call-${id}`,
  prompt: `Which way at ${id}?`,
  options: [],
  allowed_events: ["ANSWER"],
  ...more,
});

/** Facts 4 and 5 are gates; the first takes one of two options, the second waits behind it and takes a number. */
const twoGates = (): FactList =>
  new FactList()
    .start()
    .spawn("root", "Supervisor")
    .add("gate_opened", gate("g-1", { options: ["left", "right"].map((value) => ({ label: value, value })) }))
    .add("gate_opened", gate("g-2", { output_schema: { type: "number" } }));

describe("answering a gate", () => {
  let run: RunOnDisk;

  beforeEach(async () => {
    run = await runOnDisk(twoGates());
  });

  async function respond(seq: number, output?: string, more: { event?: string; branch?: string } = {}): Promise<string> {
    const io = testIo({ cwd: run.root });
    const { event = "ANSWER", branch } = more;
    await respondCommand({ json: true, debug: false, agentDir: undefined, run: "last", gate: seq, event, output, branch }, io, stores);
    return (JSON.parse(io.out()) as { outcome: string }).outcome;
  }

  /** Records what the run's process makes of an answer. */
  const take = (id: string, output: unknown): Promise<void> =>
    run.write(
      (journal) =>
        void journal.append("main", journal.head("main"), [{ type: "gate_answered", data: { gate: id, event: "ANSWER", output } }]),
    );

  it("leaves the answer where the run's process finds it, once", async () => {
    expect(await respond(4, '"left"')).toBe("answered");
    expect(await respond(4, '"left"')).toBe("repeated");
    const kept = JSON.parse(readFileSync(join(run.folder, "gates", "main", "4", "resolution.json"), "utf8")) as unknown;
    expect(kept).toEqual({ v: 1, event: "ANSWER", output: "left" });
    await expect(respond(4, '"right"')).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining("differently") as string,
    });
  });

  it("is an option as it was shown, with marks around right-to-left text that came along when it was copied", async () => {
    run = await runOnDisk(
      new FactList()
        .start()
        .spawn("root", "Supervisor")
        .add("gate_opened", gate("g-1", { options: ["يسار", "a\u200Bb"].map((value) => ({ label: "x", value })) })),
    );
    expect(await respond(4, '"\u2068يسار\u2069"')).toBe("answered");
    const kept = JSON.parse(readFileSync(join(run.folder, "gates", "main", "4", "resolution.json"), "utf8")) as unknown;
    expect(kept).toEqual({ v: 1, event: "ANSWER", output: "يسار" });
    expect(await respond(4, '"يسار"')).toBe("repeated");
    await expect(respond(4, '"ab"')).rejects.toMatchObject({ message: expect.stringContaining("differently") as string });
  });

  it("goes on with the next gate when the first has been taken", async () => {
    await expect(respond(5, "3")).rejects.toMatchObject({ code: "refused", message: "Gate 5 waits behind gate 4." });
    await take("g-1", "left");
    expect(await respond(5, "3")).toBe("answered");
  });

  it.each<[string, number, string | undefined, { event?: string }, RegExp, string]>([
    ["a gate that there is not", 99, "1", {}, /has no gate 99/, "not_found"],
    ["a fact that is no gate", 1, "1", {}, /has no gate 1/, "not_found"],
    ["an event that is not allowed", 4, '"left"', { event: "SKIP" }, /does not take the event SKIP/, "refused"],
    ["the event FAILED", 4, '"left"', { event: "FAILED" }, /does not take the event FAILED/, "refused"],
    ["what is not among the options", 4, '"up"', {}, /takes one of its options/, "refused"],
    ["nothing where an output is needed", 4, undefined, {}, /takes one of its options/, "refused"],
    ["an output that is not JSON", 4, "left", {}, /takes JSON/, "usage"],
  ])("is refused for %s, and nothing is left behind", async (_, seq, output, more, why, code) => {
    await expect(respond(seq, output, more)).rejects.toMatchObject({ code, message: expect.stringMatching(why) as string });
    expect(await respond(4, '"left"')).toBe("answered");
  });

  it("is refused where the output does not fit the gate's schema", async () => {
    await take("g-1", "left");
    await expect(respond(5, '"three"')).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining("does not fit gate 5") as string,
    });
  });

  it("is refused for a gate that the run has gone on from, unless it is the same answer", async () => {
    await take("g-1", "left");
    expect(await respond(4, '"left"')).toBe("repeated");
    await expect(respond(4, '"right"')).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining("and the run has gone on from that") as string,
      hint: "Open is gate 5: Which way at g-2?",
    });
  });

  it("is refused for a gate of a run that is over", async () => {
    await run.write((journal) => {
      const data = { state: "stopped", reason: "wall_time", detail: "late", answered: false } as const;
      journal.append("main", journal.head("main"), [{ type: "run_finished", data }]);
    });
    await expect(respond(4, '"left"')).rejects.toMatchObject({
      code: "refused",
      message: "Gate 4 is closed, since the run is over.",
      hint: expect.stringContaining("No gate of this run is open") as string,
    });
  });

  it("needs the branch where a gate is open on several, and answers it there alone", async () => {
    await run.write((journal) => void journal.moveBranch("side", 4, undefined, "forked"));
    await expect(respond(4, '"left"')).rejects.toMatchObject({
      code: "usage",
      message: "Gate 4 is open on several branches: main, side.",
      hint: "Say which with --branch.",
    });
    expect(await respond(4, '"right"', { branch: "side" })).toBe("answered");
    expect(await respond(4, '"left"', { branch: "main" })).toBe("answered");
    await expect(respond(5, "3", { branch: "side" })).rejects.toMatchObject({ code: "not_found" });
    await expect(respond(4, '"left"', { branch: "none" })).rejects.toMatchObject({ code: "not_found", hint: "It has: main, side." });
  });

  it("says how to go on", async () => {
    const io = testIo({ cwd: run.root });
    const options = {
      json: false,
      debug: false,
      agentDir: undefined,
      run: "last",
      gate: 4,
      event: "ANSWER",
      output: '"left"',
      branch: undefined,
    };
    await respondCommand(options, io, stores);
    expect(io.out()).toContain(`hypo resume ${RUN}`);
  });
});
