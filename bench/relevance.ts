/**
 * How well memory ranks, on test collections of information retrieval: each document becomes a note, each question is
 * asked through the search that people use. `node bench/relevance.ts <folder of *.json.gz>`; a file holds
 * `{name, docs: [{id, title, text}], queries: [{id, text}], qrels: {query: {document: grade}}}`.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { openMemory, type MarkdownMemory } from "../src/memory/index.ts";

interface Collection {
  name: string;
  docs: { id: string; title: string; text: string }[];
  queries: { id: string; text: string }[];
  qrels: Record<string, Record<string, number>>;
}

const DEPTH = 10;

/** nDCG@10 over all queries of a collection, as trec_eval has it: linear gain, unjudged documents are not relevant. */
export async function measureRelevance(collection: Collection): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "hypo-relevance-"));
  const memory = openMemory({ folder, say: () => undefined });
  try {
    writeNotes(folder, collection);
    return await averageGain(memory, collection);
  } finally {
    await memory.close();
    rmSync(folder, { recursive: true });
  }
}

function writeNotes(folder: string, { docs }: Collection): void {
  const at = join(folder, "memory/findings");
  mkdirSync(at, { recursive: true });
  for (const [index, { title, text }] of docs.entries()) {
    const heading = title.trim() === "" ? "" : `# ${title.replace(/\s+/g, " ").trim()}\n\n`;
    writeFileSync(join(at, `${index}.md`), `---\nid: n-${index}\ntype: fact\n---\n\n${heading}${text}\n`);
  }
}

async function averageGain(memory: MarkdownMemory, { docs, queries, qrels }: Collection): Promise<number> {
  let sum = 0;
  for (const { id, text } of queries) {
    const hits = await memory.search({ text, limit: DEPTH });
    const grades = qrels[id] ?? {};
    const found = hits.map((hit) => grades[docs[Number(hit.id.slice(2))]?.id ?? ""] ?? 0);
    const ideal = Object.values(grades).toSorted((a, b) => b - a);
    sum += discountedGain(found) / (discountedGain(ideal) || 1);
  }
  return sum / queries.length;
}

function discountedGain(grades: number[]): number {
  return grades.slice(0, DEPTH).reduce((sum, grade, rank) => sum + Math.max(0, grade) / Math.log2(rank + 2), 0);
}

if (import.meta.main) {
  const [folder = "."] = process.argv.slice(2);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json.gz"))) {
    const collection = JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString("utf8")) as Collection;
    console.log(`${collection.name}: nDCG@${DEPTH} ${(await measureRelevance(collection)).toFixed(4)}`);
  }
}
