/** Looks for any word of each question with ripgrep in the notes of a workload. Arguments: folder, most questions. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { askQuestions } from "../fixtures/ask-questions.ts";
import { readQuestions } from "../fixtures/workload.ts";
import { handFigures } from "../harness/measure.ts";

const [folder = "", most = ""] = process.argv.slice(2);
const { queries } = readQuestions(folder);
const answers = await askQuestions({ warmUp: [], queries: queries.slice(0, Number(most)), long: [], qrels: {} }, (text) => {
  const words = text.split(" ").flatMap((word) => ["-e", word]);
  const args = ["--count", "--ignore-case", "--word-regexp", "--fixed-strings", ...words, join(folder, ".hypo/memory")];
  const { status, error, stdout } = spawnSync("rg", args, { encoding: "utf8", maxBuffer: 2 ** 30 });
  if (error ?? (status !== 0 && status !== 1)) throw error ?? new Error(`rg ended with ${status}`);
  return stdout.split("\n");
});
handFigures(answers);
