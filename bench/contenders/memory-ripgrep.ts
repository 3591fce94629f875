/** Looks for any word of each question with ripgrep in the notes of a workload. Argument: folder. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { askQuestions } from "../fixtures/ask-questions.ts";
import { readQuestions } from "../fixtures/workload.ts";
import { handFigures } from "../harness/measure.ts";

const [folder = ""] = process.argv.slice(2);
const answers = await askQuestions(readQuestions(folder), (text) => {
  const words = text.split(" ").flatMap((word) => ["-e", word]);
  const args = ["--count", "--ignore-case", "--word-regexp", "--fixed-strings", ...words, join(folder, ".hypo/memory")];
  const { status, error, stdout } = spawnSync("rg", args, { encoding: "utf8", maxBuffer: 2 ** 30 });
  if (error ?? (status !== 0 && status !== 1)) throw error ?? new Error(`rg ended with ${status}`);
  return stdout.split("\n");
});
handFigures(answers);
