import type { Sample } from "./measure.ts";
import type { Comparison, Goal, Growth, Line, Measure, Side } from "./row.ts";
import { growthExponent, median, ratioOf } from "./statistics.ts";

interface Peer {
  name: string;
  samples: readonly Sample[];
}

type Samples = ReadonlyMap<Side, readonly Sample[]>;

/**
 * Runs every side once to warm caches up, then all of them in turn as often as asked, each repetition beginning with
 * the next side: what disturbs the machine for a while disturbs all of them alike.
 */
export async function runInterleaved(sides: readonly Side[], repetitions: number): Promise<Samples> {
  const samples = new Map<Side, Sample[]>(sides.map((side) => [side, []]));
  for (const side of sides) await side.run();
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const first = repetition % sides.length;
    for (const side of [...sides.slice(first), ...sides.slice(0, first)]) samples.get(side)?.push(await side.run());
  }
  return samples;
}

/**
 * Lines of the table: each measure against each other side that has it, or alone where there is no other side.
 *
 * @param size said after what was measured
 */
export function linesOf({ hypo, others, measures }: Comparison, samples: Samples, size: string): Line[] {
  const ours = samples.get(hypo) ?? [];
  return measures.flatMap((measure) => {
    if (others.length === 0) return [lineOf(measure, size, ours, undefined)];
    const peers = others.map((other) => ({ name: other.name, samples: samples.get(other) ?? [] }));
    return peers.filter((peer) => valuesOf(measure, peer.samples).length > 0).map((peer) => lineOf(measure, size, ours, peer));
  });
}

/** How each measure that grows did so for each side, from the samples at each size. */
export function growthOf(sizes: readonly { size: number; comparison: Comparison; samples: Samples }[]): Growth[] {
  const [first] = sizes;
  if (first === undefined || sizes.length < 2) return [];
  const { hypo, others, measures } = first.comparison;
  return measures
    .filter(({ grows }) => grows === true)
    .flatMap((measure) =>
      [hypo, ...others].flatMap(({ name }) => {
        const points = sizes.flatMap(({ size, samples }) => {
          const side = [...samples.keys()].find((each) => each.name === name);
          const values = valuesOf(measure, (side && samples.get(side)) ?? []);
          return values.length === 0 ? [] : [{ size, cost: median(values) }];
        });
        if (points.length < 2) return [];
        return [{ what: measure.what, side: name, unit: measure.unit, points, exponent: growthExponent(points) }];
      }),
    );
}

function lineOf(measure: Measure, size: string, ours: readonly Sample[], other: Peer | undefined): Line {
  const values = valuesOf(measure, ours);
  const theirs = valuesOf(measure, other?.samples ?? []);
  const compared = other && theirs.length > 0 ? { name: other.name, value: median(theirs), ratio: ratioOf(values, theirs) } : undefined;
  const goal = measure.goal?.against === undefined || measure.goal.against === other?.name ? measure.goal : undefined;
  const line = { hypo: median(values), other: compared };
  return {
    what: `${measure.what}${size}`,
    unit: measure.unit,
    ...line,
    cpuMs: [medianOf(ours, "cpuMs"), medianOf(other?.samples ?? [], "cpuMs")],
    peakMb: [medianOf(ours, "peakMb"), medianOf(other?.samples ?? [], "peakMb")],
    repetitions: ours.length,
    goal: goal && wordGoal(goal, measure.unit),
    met: goal && isMet(goal, goal.on === "value" ? line.hypo : line.other?.ratio.median),
  };
}

function valuesOf(measure: Measure, samples: readonly Sample[]): number[] {
  return samples.flatMap((sample) => measure.of(sample) ?? []);
}

function medianOf(samples: readonly Sample[], figure: "cpuMs" | "peakMb"): number | undefined {
  const values = samples.flatMap((sample) => sample[figure] ?? []);
  return values.length === 0 ? undefined : median(values);
}

function wordGoal({ on, atMost, atLeast }: Goal, unit: Measure["unit"]): string {
  const bound = atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
  return on === "ratio" ? `${bound} x` : `${bound} ${unit}`;
}

function isMet({ atMost = Infinity, atLeast = -Infinity }: Goal, value: number | undefined): boolean | undefined {
  return value === undefined ? undefined : value <= atMost && value >= atLeast;
}
