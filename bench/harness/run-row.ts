import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { growthOf, linesOf, runInterleaved } from "./compare.ts";
import type { Bench, Comparison, Row, RowResult } from "./row.ts";

export interface BenchOptions {
  repetitions: number;
  quick: boolean;
  env: NodeJS.ProcessEnv;
  /** Told what is being measured. */
  say: (line: string) => void;
}

/** Measures one row in a temporary folder of its own. */
export async function runRow(row: Row, { repetitions, quick, env, say }: BenchOptions): Promise<RowResult> {
  const { name, title, caveat } = row;
  const result: RowResult = { name, title, caveat, lines: [], growth: [], skipped: [] };
  const folder = mkdtempSync(join(tmpdir(), `hypo-bench-${name}-`));
  const measured = async (comparison: Comparison, size = "") => {
    const sides = [comparison.hypo, ...comparison.others];
    say(`${name}: ${comparison.measures[0]?.what ?? ""}${size} (${sides.map((side) => side.name).join(", ")})`);
    const samples = await runInterleaved(sides, quick ? repetitions : Math.max(repetitions, comparison.repetitions ?? 0));
    result.lines.push(...linesOf(comparison, samples, size));
    return { comparison, samples };
  };
  const bench: Bench = {
    folder,
    quick,
    env,
    compare: async (comparison) => void (await measured(comparison)),
    compareSizes: async (sizes, things, at) => {
      const bySize = [];
      for (const size of sizes) bySize.push({ size, ...(await measured(await at(size), `, ${size.toLocaleString("en-GB")} ${things}`)) });
      result.growth.push(...growthOf(bySize));
    },
    skip: (what, why) => void result.skipped.push({ what, why }),
  };
  try {
    await row.measure(bench);
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
