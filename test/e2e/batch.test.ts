import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resultsIn, writeLines } from "./support/batch-files.ts";
import { answerAlone } from "./support/parts.ts";
import { withWorld } from "./support/world.ts";

describe("a batch", () => {
  it("runs every question, tells a failing line and goes on; the same file again repeats only what failed", async () => {
    await withWorld(answerAlone, async (world) => {
      const { project, model } = world;
      const first = { id: "a", question: "How many comparisons does merge sort need?" };
      const third = { id: "c", question: "マージソートの比較回数は？" };
      await writeLines(project, "q.jsonl", [first, { id: "b", question: "Is it stable?", model: "scripted/none" }, third]);
      const files = ["--out", "out/results.jsonl", "--junit", "junit.xml", "--summary", "summary.md"];
      const batch = await project.hypo(["batch", "q.jsonl", "--ordered", "--json", "--concurrency", "2", ...files], { timeoutMs: 200_000 });
      expect(batch.code).toBe(1);
      const results = resultsIn(batch.stdout);
      expect(results).toMatchObject([
        { id: "a", line: 1, status: "answered", reached: true, stop_reason: "goal_achieved", confidence: "low" },
        { id: "b", line: 2, status: "failed", reached: false, run: null, error: { code: "model_unknown" } },
        { id: "c", line: 3, status: "answered", answer: expect.stringContaining("n - 1 comparisons") },
      ]);
      const read = (name: string): Promise<string> => readFile(join(project.folder, name), "utf8");
      expect(resultsIn(await read("out/results.jsonl"))).toEqual(results);
      expect(await read("junit.xml")).toContain('tests="3" failures="0" errors="1" skipped="0"');
      expect(await read("summary.md")).toContain("2 of 3 questions reached an answer");
      expect(await read(results[0]?.report ?? "")).toContain(first.question);

      const asked = model.requests.length;
      await writeLines(project, "q.jsonl", [first, { id: "b", question: "Is it stable?" }, third]);
      const again = await project.hypo(["batch", "q.jsonl", "--out", "out/results.jsonl"], { timeoutMs: 200_000 });
      expect(again.code).toBe(0);
      const repeated = model.requests
        .slice(asked)
        .filter(({ request }) => !request.messages.some(({ text }) => text.includes("The question: Is it stable?")));
      expect(repeated).toEqual([]);
      expect(resultsIn(await read("out/results.jsonl")).filter(({ id }) => id !== "b")).toEqual(results.filter(({ id }) => id !== "b"));
      expect(await project.runIds()).toHaveLength(3);

      await writeLines(project, "q.jsonl", [{ ...first, question: "Another question?" }]);
      const changed = await project.hypo(["batch", "q.jsonl"]);
      expect(changed).toMatchObject({ code: 2, stdout: "" });
      expect(changed.stderr).toContain('line 1: "a" stood for another question');
    });
  });
});
