/** Indexes the notes of a workload by hypo's memory and asks its questions. Argument: folder. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { askQuestions, DEPTH } from "../fixtures/ask-questions.ts";
import { readDocs, readQuestions } from "../fixtures/workload.ts";
import { importBuilt, timeOf } from "../harness/contender.ts";
import { handFigures } from "../harness/measure.ts";

const [folder = ""] = process.argv.slice(2);
const { openMemory } = await importBuilt<typeof import("../../src/memory/index.ts")>("memory/index.ts");
const state = join(folder, ".hypo");
for (const name of indexFiles()) rmSync(join(state, name));

const ids: string[] = [];
for await (const { id } of readDocs(folder)) ids.push(id);
const memory = openMemory({ folder: state, say: () => undefined });
const buildMs = await timeOf(() => memory.rebuild());
await memory.search({ text: "warm up", limit: DEPTH });
const answers = await askQuestions(readQuestions(folder), async (text) => {
  const hits = await memory.search({ text, limit: DEPTH });
  return hits.map((hit) => ids[Number(hit.id.slice("n-".length))] ?? "");
});
await memory.close();
const bytes = indexFiles().reduce((sum, name) => sum + statSync(join(state, name)).size, 0);
handFigures({ ...answers, buildMs, indexMb: bytes / 2 ** 20 });

function indexFiles(): string[] {
  return readdirSync(state).filter((name) => name.startsWith("index.sqlite"));
}
