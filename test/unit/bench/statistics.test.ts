import { describe, expect, it } from "vitest";
import { growthExponent, median, quantile, ratioOf } from "../../../bench/harness/statistics.ts";

describe("the arithmetic of the bench", () => {
  it.each([
    [[3], 3],
    [[5, 1, 3], 3],
    [[4, 1, 3, 2], 2.5],
    [[1, 1, 1000], 1],
  ])("the median of %j is %d", (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it("interpolates a quantile between its neighbours, and leaves the values in their order", () => {
    const values = [40, 10, 20, 30];
    expect([0, 0.25, 0.95, 1].map((share) => quantile(values, share))).toEqual([10, 17.5, 38.5, 40]);
    expect(values).toEqual([40, 10, 20, 30]);
  });

  it("has no median of nothing", () => {
    expect(median([])).toBeNaN();
  });

  it("takes ratios within a repetition, so that a slow moment that both sides shared changes none", () => {
    expect(ratioOf([10, 20, 500], [5, 10, 250])).toEqual({ median: 2, low: 2, high: 2 });
    expect(ratioOf([1, 2, 3, 4, 5], [1, 1, 1, 1, 1])).toEqual({ median: 3, low: 2, high: 4 });
  });

  it.each([
    ["linear", 1],
    ["quadratic", 2],
    ["constant", 0],
    ["square root", 0.5],
  ])("finds the exponent of %s growth", (_, exponent) => {
    const points = [1e3, 1e4, 1e5].map((size) => ({ size, cost: 7 * size ** exponent }));
    expect(growthExponent(points)).toBeCloseTo(exponent, 10);
  });

  it("fits the best line through points that lie on none", () => {
    const points = [
      { size: 10, cost: 10 },
      { size: 100, cost: 200 },
      { size: 1000, cost: 1000 },
    ];
    expect(growthExponent(points)).toBeCloseTo(1, 10);
  });
});
