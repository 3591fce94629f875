import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Machine } from "./machine.ts";
import type { RowResult } from "./row.ts";
import { markdownOf } from "./table.ts";

/** One row with when and on what it was measured. */
interface Entry {
  at: string;
  machine: Machine;
  versions: Record<string, string>;
  result: RowResult;
}

interface ResultFile {
  v: 1;
  rows: Record<string, Entry>;
}

const BENCH = fileURLToPath(new URL("../", import.meta.url));
const RESULTS = join(BENCH, "results");
const README = join(BENCH, "README.md");
const BEGINS = "<!-- results: written by `npm run bench` -->";
const ENDS = "<!-- end of results -->";

/** Puts a row into `results/<date>.json`, beside the others of that day. */
export function keepResults(at: Date, machine: Machine, versions: Record<string, string>, result: RowResult): void {
  const path = join(RESULTS, `${at.toISOString().slice(0, 10)}.json`);
  const file: ResultFile = existsSync(path) ? readResults(path) : { v: 1, rows: {} };
  file.rows[result.name] = { at: at.toISOString(), machine, versions, result };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(path, `${JSON.stringify(file, null, 1)}\n`);
}

/** Writes the latest results of each row, in the order of `names`, between the marks in README.md. */
export function writeReadme(names: readonly string[]): void {
  const latest: Record<string, Entry> = {};
  const files = existsSync(RESULTS) ? readdirSync(RESULTS).sort() : [];
  for (const name of files) Object.assign(latest, readResults(join(RESULTS, name)).rows);
  const parts = names.flatMap((name) => {
    const entry = latest[name];
    return entry === undefined ? [] : [`${markdownOf(entry.result)}\n${provenanceOf(entry)}\n`];
  });
  const text = readFileSync(README, "utf8");
  const [before = "", rest = ""] = text.split(BEGINS);
  const after = rest.split(ENDS)[1] ?? "";
  writeFileSync(README, `${before}${BEGINS}\n\n${parts.join("\n")}\n${ENDS}${after}`);
}

function provenanceOf({ at, machine, versions, result }: Entry): string {
  const known = Object.entries(versions).filter(([, version]) => version !== "none" && version !== "");
  const repetitions = [...new Set(result.lines.map((line) => line.repetitions))].sort((a, b) => a - b).join(" or ");
  const { processor, cores, memoryGb, system, load } = machine;
  return (
    `${at.slice(0, 16).replace("T", " ")} UTC; ${repetitions} repetitions; ${cores} x ${processor}, ${memoryGb} GB, ${system}, load ${load}; ` +
    `${known.map(([name, version]) => `${name} ${version}`).join(", ")}.`
  );
}

function readResults(path: string): ResultFile {
  return JSON.parse(readFileSync(path, "utf8")) as ResultFile;
}
