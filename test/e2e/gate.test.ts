import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../support/scenario.ts";
import { answerAlone } from "./support/parts.ts";
import { askQuestion, resumeLast, withWorld, type Script } from "./support/world.ts";

const OPTIONS = [
  { label: "Only comparisons", value: "comparisons" },
  { label: "Moves too", value: "moves" },
];

const askFirst: Script = (turn, site) =>
  turn.answers === 0
    ? call("research_control", { action: "ask_user", prompt: "What is to be counted?", options: OPTIONS })
    : answerAlone(turn, site);

describe("a decision that only a person can take", () => {
  it("leaves the run waiting with exit code 8, and the answer lets it go on to its end", async () => {
    await withWorld(askFirst, async (world) => {
      const left = await askQuestion(world, ["--on-gate", "exit"]);
      expect(left.code).toBe(8);
      const gate = left.facts.find((fact) => fact.type === "gate_opened");
      const run = await world.project.run();
      expect(left.stderr).toContain("The run waits for your decision: What is to be counted?");
      expect(left.stderr).toContain('"moves": Moves too');
      expect(left.stderr).toContain(`hypo respond ${run.id} ${gate?.seq} --event ANSWER --output '"comparisons"'`);
      expect(left.stderr).toContain(`hypo resume ${run.id}`);
      expect(left.all("run_finished")).toEqual([]);
      expect(left.report).toContain("This report was written by code");

      const place = join(run.path, "gates", "main", String(gate?.seq));
      await writeFile(join(place, "resolution.json"), JSON.stringify({ v: 1, event: "ANSWER", output: "moves" }));
      const [recorded, asked] = [await run.recordedAnswers(), world.model.requests.length];
      const resumed = await resumeLast(world);
      expect(resumed.code).toBe(0);
      expect(resumed.results("root", "research_control")[0]).toMatchObject({ ok: true, text: 'The person answered: ANSWER "moves"' });
      expect(resumed.all("gate_opened")).toHaveLength(1);
      expect(resumed.all("gate_answered")).toEqual([{ gate: resumed.all("gate_opened")[0]?.gate, event: "ANSWER", output: "moves" }]);
      expect(world.model.askedAgain(recorded, asked)).toEqual([]);
    });
  });

  it("waits again when the run is resumed without an answer", async () => {
    await withWorld(askFirst, async (world) => {
      expect((await askQuestion(world)).code).toBe(8);
      const again = await resumeLast(world);
      expect(again.code).toBe(8);
      expect(again.all("gate_opened")).toHaveLength(1);
    });
  });

  it("stops the run with a report where it was told not to wait", async () => {
    await withWorld(askFirst, async (world) => {
      const outcome = await askQuestion(world, ["--on-gate", "fail"]);
      expect(outcome.code).toBe(3);
      expect(outcome.all("run_finished")).toEqual([
        expect.objectContaining({ state: "stopped", reason: "user_decision_required", detail: "What is to be counted?" }),
      ]);
      expect(outcome.all("report_written")).toEqual([expect.objectContaining({ by: "code" })]);
    });
  });
});
