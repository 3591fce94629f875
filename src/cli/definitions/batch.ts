import { REQUIREMENTS } from "../batch/batch-result.ts";
import type { CommandDefinition } from "../definition.ts";
import { writeErr } from "../io.ts";
import { StartGuard } from "../start-guard.ts";
import {
  CAP_OPTIONS,
  MODEL_OPTIONS,
  PROCEDURE_OPTIONS,
  readProcedure,
  ON_GATE_OPTION,
  readCaps,
  readModels,
  readOnGate,
} from "./shared.ts";

const PATH = { name: "path", kind: "text", completes: "file" } as const;

export const batch: CommandDefinition = {
  name: "batch",
  summary: "Research every question of a file, for CI and the night",
  description:
    "Runs the questions of a .jsonl, .csv or .txt file, each in a run and a process of its own, and gives a result for each. " +
    "The same file again goes on with what is unfinished and repeats nothing. --max-cost is the money of all runs " +
    "together; other limits are each run's. Exit code 0 only if every question reached an answer. " +
    "docs/ci.md has the formats, the results and an example for CI.",
  arguments: [
    { name: "file", summary: "questions: JSON Lines, CSV with a header, or text with one a line", required: true, completes: "file" },
  ],
  options: [
    { name: "concurrency", value: { name: "n", kind: "integer", min: 1 }, summary: "runs at work at once (default 2)" },
    { name: "out", value: PATH, summary: "write results to this file, as JSON Lines" },
    { name: "junit", value: PATH, summary: "write a JUnit report to this file" },
    { name: "summary", value: PATH, summary: "write a summary in Markdown to this file" },
    { name: "ordered", summary: "give results in the order of the file, not as they come" },
    {
      name: "require",
      value: { name: "what", kind: "text", choices: REQUIREMENTS },
      summary: "what counts as an answer: any, or one that rests on a supported verdict (default any)",
    },
    ...PROCEDURE_OPTIONS,
    ...MODEL_OPTIONS,
    ...CAP_OPTIONS,
    ON_GATE_OPTION,
    { name: "accept-changes", summary: "go on with unfinished runs although prompts or settings have changed" },
  ],
  examples: [
    { command: "hypo batch questions.csv --max-cost 20 --out results.jsonl", says: "all questions, for twenty dollars together" },
    { command: "hypo batch questions.txt --junit report.xml --summary summary.md --require supported", says: "in CI" },
  ],
  async start(given, common, io) {
    const guard = new StartGuard((line) => writeErr(io, line));
    const options = {
      ...common,
      ...readModels(given),
      ...readCaps(given),
      ...readProcedure(given),
      onGate: readOnGate(given),
      file: given.argument(0) ?? "",
      concurrency: given.number("concurrency") ?? 2,
      out: given.text("out"),
      junit: given.text("junit"),
      summary: given.text("summary"),
      isOrdered: given.isSet("ordered"),
      requirement: REQUIREMENTS.find((each) => each === given.text("require")) ?? "any",
      acceptChanges: given.isSet("accept-changes"),
    };
    const { batchCommand } = await import("../commands/batch.ts");
    return batchCommand(options, io, guard);
  },
};
