import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { listCollections, writeCollection, writeGenerated } from "../fixtures/workload.ts";
import { contender } from "../harness/contender-file.ts";
import type { Bench, Measure, Row, Side } from "../harness/row.ts";

/** MiniSearch holds its index in memory, which does not do for more. */
const MOST_IN_MEMORY = 100_000;
/** ripgrep reads every note for every question. */
const RIPGREP_QUESTIONS = 20;

/** The most that hypo may take, in milliseconds, by the number of notes. A build is of 4,000 notes a second. */
const GOALS: Readonly<Record<number, { p95: number; longP95: number; build: number }>> = {
  100_000: { p95: 15, longP95: 15, build: 25_000 },
  1_000_000: { p95: 60, longP95: 150, build: 250_000 },
};

const ndcg: Measure = { what: "nDCG@10", unit: "score", of: ({ figures }) => figures["ndcg"] };
const perSecond: Measure = { what: "questions", unit: "per s", of: ({ figures }) => figures["perSecond"] };
const mean: Measure = { what: "a question, mean", unit: "ms", of: ({ figures }) => figures["meanMs"], grows: true };
const p95: Measure = { what: "a question, 95th percentile", unit: "ms", of: ({ figures }) => figures["p95Ms"] };
const longP95: Measure = { what: "a question of 8 to 15 words, 95th percentile", unit: "ms", of: ({ figures }) => figures["longP95Ms"] };
const build: Measure = { what: "index build", unit: "ms", of: ({ figures }) => figures["buildMs"], grows: true };
const size: Measure = { what: "index size", unit: "MB", of: ({ figures }) => figures["indexMb"] };

export const memory: Row = {
  name: "memory",
  title: "Memory: search, index",
  caveat:
    "Test collections with judgements, and generated notes of 115 words with questions of 2 to 5 words unless it is said; times are of processes that have answered some already. FTS5 and MiniSearch are as they " +
    "come: any word may match, no endings are taken off; they index texts from one file. hypo reads each note from a file of its own and keeps " +
    "fields, relations and words for corrections; a question includes reading the hits' files for their snippets. ripgrep ranks nothing and is asked " +
    `${RIPGREP_QUESTIONS} questions. MiniSearch's index is in memory; its size is that of its JSON.`,
  async measure(bench) {
    await compareOnCollections(bench);
    await compareOnGenerated(bench);
    bench.skip("qmd", "its package fetches or builds llama.cpp as it is installed, too much for a dependency of the bench");
    if (!bench.huge) bench.skip("1,000,000 notes", "they take an hour; --huge adds them");
  },
};

async function compareOnCollections(bench: Bench): Promise<void> {
  const data = join(bench.env["HYPO_BENCH_DATA"] ?? "", "ir");
  const files = listCollections(data);
  if (bench.env["HYPO_BENCH_DATA"] === undefined || files.length === 0) {
    return bench.skip("test collections", "HYPO_BENCH_DATA names no folder with ir/*.json.gz");
  }
  for (const file of files) {
    const name = file.replace(/\.json\.gz$/, "");
    const folder = join(bench.folder, name);
    writeCollection(folder, join(data, file), bench.quick ? 10 : Infinity);
    const measures = [
      { ...ndcg, what: `${name}: ${ndcg.what}` },
      { ...perSecond, what: `${name}: ${perSecond.what}` },
    ];
    await bench.compare({ hypo: hypoSide(folder), others: [fts5Side(folder), miniSearchSide(folder)], measures });
  }
}

async function compareOnGenerated(bench: Bench): Promise<void> {
  const hasRipgrep = canRun("rg");
  if (!hasRipgrep) bench.skip("ripgrep", "there is no `rg` on the PATH");
  const sizes = bench.quick ? [100, 500] : [1000, 10_000, 100_000, ...(bench.huge ? [1_000_000] : [])];
  await bench.compareSizes(sizes, "notes", async (notes) => {
    const folder = join(bench.folder, String(notes));
    writeGenerated(folder, notes, bench.quick ? 20 : 200);
    const goals = GOALS[notes];
    const ripgrep = contender("ripgrep", "memory-ripgrep", [folder, String(RIPGREP_QUESTIONS)]);
    return {
      hypo: hypoSide(folder),
      others: [fts5Side(folder), ...(notes > MOST_IN_MEMORY ? [] : [miniSearchSide(folder)]), ...(hasRipgrep ? [ripgrep] : [])],
      measures: [perSecond, mean, withGoal(p95, goals?.p95), withGoal(longP95, goals?.longP95), withGoal(build, goals?.build), size],
    };
  });
}

function withGoal(measure: Measure, atMost: number | undefined): Measure {
  return atMost === undefined ? measure : { ...measure, goal: { on: "value", atMost } };
}

function hypoSide(folder: string): Side {
  return contender("hypo", "memory-hypo", [folder]);
}

function fts5Side(folder: string): Side {
  return contender("raw FTS5 bm25", "memory-fts5", [folder]);
}

function miniSearchSide(folder: string): Side {
  return contender("MiniSearch", "memory-minisearch", [folder]);
}

function canRun(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
