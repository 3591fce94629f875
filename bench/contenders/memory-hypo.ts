/** Indexes the notes of a workload by hypo's memory, asks its questions, and changes notes. Argument: folder. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askQuestions, DEPTH } from "../fixtures/ask-questions.ts";
import { notePathOf, readDocs, readQuestions } from "../fixtures/workload.ts";
import { CHANGES, medianTimeOf } from "../fixtures/change-notes.ts";
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
const bytes = indexFiles().reduce((sum, name) => sum + statSync(join(state, name)).size, 0);
const before = ids.slice(0, CHANGES).map((_, place) => readFileSync(fileOf(place), "utf8"));
const changeMs = await medianTimeOf(before.length, async (place) => {
  const text = before[place] ?? "";
  const replaced = createHash("sha256").update(text).digest("hex");
  await memory.write({ path: notePathOf(place), text: `${text}\nChanged.\n` }, [replaced]);
});
await memory.close();
for (const [place, text] of before.entries()) writeFileSync(fileOf(place), text);
handFigures({ ...answers, buildMs, changeMs, indexMb: bytes / 2 ** 20 });

function fileOf(place: number): string {
  return join(state, "memory", notePathOf(place));
}

function indexFiles(): string[] {
  return readdirSync(state).filter((name) => name.startsWith("index.sqlite"));
}
