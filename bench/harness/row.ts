import type { Sample } from "./measure.ts";
import type { Point, Spread } from "./statistics.ts";

/** What can be run and measured: hypo, or what a person would take in its place. */
export interface Side {
  name: string;
  run: () => Promise<Sample>;
}

/** One figure taken from each run. */
export interface Measure {
  what: string;
  unit: Unit;
  /** Undefined where a side has no such figure. */
  of: (sample: Sample) => number | undefined;
  goal?: Goal;
  /** Also said: how the figure grows with the size, in a comparison over sizes. */
  grows?: boolean;
}

export type Unit = "ms" | "MB" | "per s" | "calls" | "score";

/** A bound on hypo's figure, or on how many times the other's it is. */
export interface Goal {
  on: "value" | "ratio";
  /** The one other that it is meant for; every other where it is left out. */
  against?: string;
  atMost?: number;
  atLeast?: number;
}

/** The same work by both sides, one after the other, again and again. */
export interface Comparison {
  hypo: Side;
  others: readonly Side[];
  measures: readonly Measure[];
  /** More than the bench's own number, for work of a few milliseconds. */
  repetitions?: number;
}

/** One line of the table: a figure of hypo, beside one other's. */
export interface Line {
  what: string;
  unit: Unit;
  hypo: number;
  other: { name: string; value: number; ratio: Spread } | undefined;
  /** Medians of processor time (ms) and peak memory (MB): hypo's, then the other's. */
  cpuMs: Pair;
  peakMb: Pair;
  repetitions: number;
  goal: string | undefined;
  met: boolean | undefined;
}

type Pair = [hypo: number | undefined, other: number | undefined];

/** How a figure of one side grows: `cost = c * size^exponent`. */
export interface Growth {
  what: string;
  side: string;
  unit: Unit;
  points: Point[];
  exponent: number;
}

interface Skipped {
  what: string;
  why: string;
}

/** What a row measures with. */
export interface Bench {
  /** A temporary folder of the row's own, removed after it. */
  folder: string;
  /** True for a look at whether the rows work: small sizes, nothing kept. */
  quick: boolean;
  env: NodeJS.ProcessEnv;
  compare(comparison: Comparison): Promise<void>;
  /**
   * The same comparison at several sizes, and how its figures grow with them.
   *
   * @param things what the sizes count, as "facts"
   */
  compareSizes(sizes: readonly number[], things: string, at: (size: number) => Promise<Comparison>): Promise<void>;
  /** Says what could not be measured here, and why. */
  skip(what: string, why: string): void;
}

export interface Row {
  name: string;
  title: string;
  /** What was measured, and what of it is not comparable. */
  caveat: string;
  /** Takes an hour: measured only where it is named or asked for. */
  isHuge?: boolean;
  measure(bench: Bench): Promise<void>;
}

export interface RowResult {
  name: string;
  title: string;
  caveat: string;
  lines: Line[];
  growth: Growth[];
  skipped: Skipped[];
}
