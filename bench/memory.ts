/**
 * Speed of memory on generated notes, beside raw FTS5 on the same texts. Times are of the processor, so that a busy
 * machine changes them little. `node bench/memory.ts [notes=20000] [queries=200]`
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openMemory } from "../src/memory/index.ts";
import { makeRandom, noteTexts, questionText, writeNotes } from "./fixtures/notes.ts";

const [notes = 20_000, queries = 200] = process.argv.slice(2).map(Number);

const project = mkdtempSync(join(tmpdir(), "hypo-bench-"));
const folder = join(project, ".hypo");
const random = makeRandom(11);
const texts = [...noteTexts(notes)];
writeNotes(project, notes);

const memory = openMemory({ folder, say: (line) => console.log(line) });
const [rebuild] = await processorTime(() => memory.rebuild());
report("rebuild", `${Math.round(notes / (rebuild / 1000))} notes/s, index ${megabytes(join(folder, "index.sqlite"))} MB`);
for (let asked = 0; asked < 20; asked++) await memory.find({ text: questionText(random, 4), limit: 10 });
const raw = buildRawIndex();

for (const [name, words] of [
  ["2-5 terms", () => 2 + Math.floor(random() * 4)],
  ["questions", () => 8 + Math.floor(random() * 8)],
] as const) {
  const texts = Array.from({ length: queries }, () => questionText(random, words()));
  report(`hypo, ${name}`, await timesOf(texts, async (text) => memory.find({ text, limit: 10 })));
  report(
    `raw FTS5 OR, ${name}`,
    await timesOf(texts, async (text) =>
      raw.all(
        text
          .split(" ")
          .map((word) => `"${word}"`)
          .join(" OR "),
      ),
    ),
  );
}
const updates: number[] = [];
for (let index = 0; index < 20; index++) {
  const id = `f-new${index}`;
  const text = `---\nid: ${id}\ntype: fact\n---\n\n# New ${index}\n\n## Statement\n\n${texts[index] ?? ""}\n`;
  updates.push((await processorTime(() => memory.write({ path: `findings/new-${id}.md`, text })))[0]);
}
report("a note written and indexed", `median ${quantile(updates, 0.5).toFixed(1)} ms`);
await memory.close();
rmSync(project, { recursive: true });

function buildRawIndex(): { all(expression: string): unknown[] } {
  const database = new Database(join(folder, "raw.sqlite"));
  database.exec("CREATE VIRTUAL TABLE raw USING fts5(text)");
  const insert = database.prepare("INSERT INTO raw (text) VALUES (?)");
  database.transaction(() => {
    for (const text of texts) insert.run(text);
  })();
  return database.prepare<[string]>("SELECT rowid FROM raw WHERE raw MATCH ? ORDER BY rank LIMIT 10");
}

async function timesOf(texts: string[], work: (text: string) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (const text of texts) times.push((await processorTime(() => work(text)))[0]);
  return `median ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`;
}

async function processorTime<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1000, result];
}

function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
}

function megabytes(path: string): number {
  const files = readdirSync(join(path, "..")).filter((name) => name.startsWith("index.sqlite"));
  return Math.round(files.reduce((sum, name) => sum + statSync(join(path, "..", name)).size, 0) / 1e6);
}

function report(name: string, figures: string): void {
  console.log(`${String(notes)} notes, ${name}: ${figures}`);
}
