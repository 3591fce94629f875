/**
 * Time of listing and searching a store of many sources, by the command as a person runs it:
 *
 *     node scripts/build.mjs && node bench/gateway-sources.ts <folder> [number of sources]
 *
 * The folder becomes a project with that many generated sources (100,000) unless it has some already. Printed are the
 * first list, which builds the index where there is none, and of the others the median and the best: on a machine with
 * other work to do, the best says more. `--version` is there for what starting costs.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256 } from "../src/domain/hash.ts";
import type { SourceRecord } from "../src/domain/source.ts";
import { signText } from "../src/gateway/store/text-signature.ts";

const HYPO = fileURLToPath(new URL("../bin/hypo.js", import.meta.url));
const ROUNDS = 7;
const TOPICS = "sorting counting merging hashing caching routing pruning sampling folding tracing parsing packing".split(" ");

const [folder = "", count = "100000"] = process.argv.slice(2);
const project = resolve(folder);
if (!existsSync(join(project, ".hypo"))) fill(join(project, ".hypo", "sources"), Number(count));

report("first list, which builds the index", [run("sources", "list", "--json")]);
for (const words of [
  ["list", "--json"],
  ["list", "--json", "--limit", "1000"],
  ["search", "counting", "4711", "--json"],
]) {
  report(
    `sources ${words.join(" ")}`,
    Array.from({ length: ROUNDS }, () => run("sources", ...words)),
  );
}
report(
  "--version",
  Array.from({ length: ROUNDS }, () => run("--version")),
);

/** Milliseconds of one command. */
function run(...words: string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [HYPO, ...words], { cwd: project, maxBuffer: 1e9 });
  if (status !== 0) throw new Error(stderr.toString());
  return performance.now() - started;
}

function report(what: string, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  console.log(`${what}: median ${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(0)} ms, best ${(sorted[0] ?? 0).toFixed(0)} ms`);
}

function fill(root: string, number: number): void {
  for (let index = 0; index < number; index += 1) {
    const record = makeRecord(index);
    const place = join(root, record.id.slice(0, 2), record.id);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "metadata.json"), `${JSON.stringify(record, undefined, 2)}\n`);
  }
}

function makeRecord(index: number): SourceRecord {
  const url = `https://site${index % 5_000}.example.org/articles/${index}`;
  const topic = (step: number): string => TOPICS[Math.floor(index / TOPICS.length ** step) % TOPICS.length] ?? "";
  const text = Array.from({ length: 80 }, (_, word) => `${topic(word % 5)}${(index * 31 + word * 17) % 997}`).join(" ");
  const signature = signText(text);
  return {
    v: 1,
    id: sha256(url),
    size: 20_000 + index,
    mime: "text/html;charset=utf-8",
    canonical: url,
    bibliography: {
      title: `On ${topic(0)} and ${topic(1)} with ${topic(2)}, part ${index}`,
      authors: [`Author ${index % 9_000}`, `Writer ${index % 700}`],
      published: "2024-05-06",
      language: "en",
      site: `Site ${index % 5_000}`,
    },
    text: { sha256: sha256(text), extractor: "html/4", characters: text.length, ...(signature === undefined ? {} : { signature }) },
    retrievals: [
      {
        url,
        final_url: url,
        retrieved_at: new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString(),
        status: 200,
        backend: "direct",
      },
    ],
    untrusted: true,
  };
}
