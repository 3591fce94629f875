import { expect, it } from "vitest";
import { linesOf, runInterleaved } from "../../../bench/harness/compare.ts";
import type { Comparison, Measure, Side } from "../../../bench/harness/row.ts";

/** A side whose runs take the given times, one after the other, and are noted in `order`. */
function sideOf(name: string, times: number[], order: string[] = [], figures: Record<string, number> = {}): Side {
  let runs = 0;
  return {
    name,
    run: async () => {
      order.push(name);
      return { wallMs: times[runs++ % times.length] ?? NaN, cpuMs: 1, peakMb: undefined, figures };
    },
  };
}

const wall: Measure = { what: "work", unit: "ms", of: ({ wallMs }) => wallMs, goal: { on: "ratio", against: "node", atMost: 2 } };

it("each side warms up once, and then the sides take turns at going first", async () => {
  const order: string[] = [];
  const sides = ["a", "b"].map((name) => sideOf(name, [1], order));
  const samples = await runInterleaved(sides, 3);
  expect(order.join("")).toBe("ababbaab");
  expect([...samples.values()].map((each) => each.length)).toEqual([3, 3]);
});

it("a goal is judged by the median ratio, and against the side that it is meant for alone", async () => {
  const comparison: Comparison = { hypo: sideOf("hypo", [30]), others: [sideOf("node", [10]), sideOf("pi", [60])], measures: [wall] };
  const lines = linesOf(comparison, await runInterleaved([comparison.hypo, ...comparison.others], 7), ", 5 facts");
  expect(lines.map(({ what, hypo, other, goal, met }) => [what, hypo, other?.name, other?.ratio.median, goal, met])).toEqual([
    ["work, 5 facts", 30, "node", 3, "at most 2 x", false],
    ["work, 5 facts", 30, "pi", 0.5, undefined, undefined],
  ]);
});

it("a side that lacks a figure is not compared by it", async () => {
  const size: Measure = { what: "index size", unit: "MB", of: ({ figures }) => figures["mb"] };
  const others = [sideOf("with", [1], [], { mb: 4 }), sideOf("without", [1])];
  const comparison: Comparison = { hypo: sideOf("hypo", [1], [], { mb: 2 }), others, measures: [size] };
  const lines = linesOf(comparison, await runInterleaved([comparison.hypo, ...others], 7), "");
  expect(lines.map(({ other }) => [other?.name, other?.ratio.median])).toEqual([["with", 0.5]]);
});
