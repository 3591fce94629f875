import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { ENOUGH } from "../fixtures/ask-questions.ts";
import { listCollections, writeCollection, writeGenerated } from "../fixtures/workload.ts";
import { contender } from "../harness/contender-file.ts";
import type { Bench, Measure, Row, Side } from "../harness/row.ts";

const QUESTIONS = 200;
const MILLION = 1_000_000;

/** The most that hypo may take, in milliseconds, by the number of notes. A build is of 4,000 notes a second. */
const GOALS: Readonly<Record<number, { p95: number; longP95: number; build: number; change: number }>> = {
  100_000: { p95: 15, longP95: 15, build: 25_000, change: 5 },
  [MILLION]: { p95: 60, longP95: 150, build: 250_000, change: 5 },
};

const ndcg: Measure = { what: "nDCG@10", unit: "score", of: ({ figures }) => figures["ndcg"] };
const perSecond: Measure = { what: "questions", unit: "per s", of: ({ figures }) => figures["perSecond"] };
const mean: Measure = { what: "a question, mean", unit: "ms", of: ({ figures }) => figures["meanMs"], grows: true };
const p95: Measure = { what: "a question, 95th percentile", unit: "ms", of: ({ figures }) => figures["p95Ms"] };
const longP95: Measure = { what: "a question of 8 to 15 words, 95th percentile", unit: "ms", of: ({ figures }) => figures["longP95Ms"] };
const build: Measure = { what: "index build", unit: "ms", of: ({ figures }) => figures["buildMs"], grows: true };
const change: Measure = { what: "a note changed, median", unit: "ms", of: ({ figures }) => figures["changeMs"] };
const size: Measure = { what: "index size", unit: "MB", of: ({ figures }) => figures["indexMb"] };

const ASKED =
  `A side is asked ${QUESTIONS} generated questions of each kind, or as many as ${ENOUGH.ms / 1000} seconds allow, ${ENOUGH.questions} at the least, ` +
  "of 2 to 5 words unless it is said; times are of processes that have answered some already.";

export const memory: Row = {
  name: "memory",
  title: "Memory: search, index",
  caveat:
    `Test collections with judgements, and generated notes of 115 words. ${ASKED} FTS5 and MiniSearch are as they ` +
    "come: any word may match, no endings are taken off; they index texts from one file. hypo reads each note from a file of its own and keeps " +
    "fields, relations and words for corrections; a question includes reading the hits' files for their snippets, a change writing the file so that it survives a power cut. ripgrep ranks nothing. " +
    "MiniSearch's index is in memory; its size is that of its JSON.",
  async measure(bench) {
    await compareOnCollections(bench);
    const hasRipgrep = canRun("rg");
    if (!hasRipgrep) bench.skip("ripgrep", "there is no `rg` on the PATH");
    const others = (folder: string) => [fts5Side(folder), miniSearchSide(folder), ...(hasRipgrep ? [ripgrepSide(folder)] : [])];
    await compareOnGenerated(bench, bench.quick ? [100, 500] : [1000, 10_000, 100_000], others);
    bench.skip("qmd", "its package fetches or builds llama.cpp as it is installed, too much for a dependency of the bench");
  },
};

export const hugeMemory: Row = {
  name: "memory-huge",
  title: "Memory: 1,000,000 notes",
  isHuge: true,
  caveat:
    `Generated notes of 115 words. ${ASKED} The rest is as in the row of memory. MiniSearch, whose index is in memory, ` +
    "and ripgrep, which reads every note for every question, are not for so many.",
  async measure(bench) {
    await compareOnGenerated(bench, [bench.quick ? 1000 : MILLION], (folder) => [fts5Side(folder)]);
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

async function compareOnGenerated(bench: Bench, sizes: readonly number[], others: (folder: string) => Side[]): Promise<void> {
  await bench.compareSizes(sizes, "notes", async (notes) => {
    const folder = join(bench.folder, String(notes));
    writeGenerated(folder, notes, bench.quick ? 20 : QUESTIONS);
    const goals = GOALS[notes];
    return {
      hypo: hypoSide(folder),
      others: others(folder),
      measures: [
        perSecond,
        mean,
        withGoal(p95, goals?.p95),
        withGoal(longP95, goals?.longP95),
        withGoal(build, goals?.build),
        withGoal(change, goals?.change),
        size,
      ],
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

function ripgrepSide(folder: string): Side {
  return contender("ripgrep", "memory-ripgrep", [folder]);
}

function canRun(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
