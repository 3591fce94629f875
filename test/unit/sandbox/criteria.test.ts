import { describe, expect, it } from "vitest";
import type { MetricPlan } from "../../../src/domain/experiment.ts";
import { createCriteria } from "../../../src/sandbox/index.ts";

const criteria = createCriteria();
const METRICS: MetricPlan[] = [
  { name: "rmse", type: "double", tolerance: 0 },
  { name: "baseline", type: "double", tolerance: 0 },
  { name: "count", type: "int", tolerance: 0 },
  { name: "wins", type: "int", tolerance: 0 },
  { name: "ok", type: "bool", tolerance: 0 },
  { name: "label", type: "string", tolerance: 0 },
];
const VALUES = { rmse: 3, baseline: 4, count: 5, wins: 2, ok: true, label: "sort" };
const planOf = (success_criterion: string, refutation_criterion = "metrics.count > 1000") => ({
  metrics: METRICS,
  success_criterion,
  refutation_criterion,
});

describe("natural criteria", () => {
  it.each([
    ["metrics.rmse < 0.9 * metrics.baseline", true],
    ["metrics.count > 3", true],
    ["metrics.count > 4.5", true],
    ["metrics.rmse > 3", false],
    ["metrics.rmse == 3", true],
    ["3 == metrics.rmse", true],
    ["metrics.rmse != 3", false],
    ["metrics.count == 5.0", true],
    ["metrics.rmse * 2 > 5", true],
    ["2 * metrics.rmse - 1 > metrics.count", false],
    ["metrics.rmse / 2 > 1.4", true],
    ["metrics.count / metrics.rmse > 1.6", true],
    ["double(metrics.wins) / metrics.count > 0.3", true],
    ["abs(metrics.rmse - metrics.baseline) <= 1", true],
    ["abs(metrics.wins - metrics.count) == 3", true],
    ["metrics.ok", true],
    ["!metrics.ok || metrics.rmse < 1", false],
    ['metrics.label == "sort"', true],
    ['metrics.label.startsWith("so") && metrics.count % 2 == 1', true],
    ["-metrics.rmse < -2", true],
    ["metrics.rmse < metrics.count && metrics.count < 1e3", true],
  ])("%s is accepted and is %s for the example", (expression, expected) => {
    expect(criteria.check(planOf(expression))).toEqual([]);
    expect(criteria.evaluate(planOf(expression), VALUES)).toBe(expected ? "met" : "neither");
  });
});

describe("criteria that cannot be used", () => {
  it.each([
    ["metrics.rsme < 1", /unknown metric `rsme`.*metrics\.rmse \(double\)/],
    ["rmse < 1", /rmse.*written metrics\.<name>/],
    ["metrics.rmse", /gives double, not true or false/],
    ["metrics.rmse <", /not a valid CEL expression/],
    ["", /not a valid CEL expression/],
    ["metrics.rmse < 1 and metrics.ok", /not a valid CEL expression/],
    ["metrics.label > 3", /no such overload.*text/],
    ["metrics.wins / metrics.count > 0.5", /drops the fraction.*double\(metrics\.wins\) \/ metrics\.count/],
    ["metrics.rmse > 1 / 2", /drops the fraction/],
    ["true", /depends on no metric/],
    ["sqrt(metrics.rmse) < 1", /Functions that can be used: abs/],
    ['metrics.label.matches("(a+)+$")', /matches\(\) cannot be used/],
    ["[1, 2].exists(x, x > metrics.count)", /exists\(\) cannot be used/],
    [`metrics.ok${" || metrics.ok".repeat(200)}`, /at most 2000/],
  ])("%.60s is refused with what to write instead", (expression, problem) => {
    const problems = criteria.check(planOf(expression));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
    expect(problems[0]).toMatch(/^success_criterion: /);
  });

  it("are reported for both criteria at once", () => {
    expect(criteria.check(planOf("metrics.nope > 1", "metrics.rmse"))).toEqual([
      expect.stringMatching(/^success_criterion: unknown metric/),
      expect.stringMatching(/^refutation_criterion: it gives double/),
    ]);
  });

  it("include a metric that is declared twice", () => {
    const metrics: MetricPlan[] = [...METRICS, { name: "rmse", type: "int", tolerance: 0 }];
    expect(criteria.check({ ...planOf("metrics.ok"), metrics })).toEqual([expect.stringContaining('"rmse" is declared twice')]);
  });
});

describe("the computed outcome", () => {
  it.each([
    ["metrics.rmse < 10", "metrics.rmse > 10", "met"],
    ["metrics.rmse > 10", "metrics.rmse < 10", "refuted"],
    ["metrics.rmse < 10", "metrics.rmse < 20", "both"],
    ["metrics.rmse > 10", "metrics.rmse > 20", "neither"],
    ["metrics.count % (metrics.wins - 2) == 0", "metrics.rmse > 20", "not_evaluable"],
    ["metrics.rmse < 10", "double(metrics.label) > 1", "not_evaluable"],
  ])("for success %s and refutation %s is computed as it stands", (success, refutation, outcome) => {
    expect(criteria.evaluate(planOf(success, refutation), VALUES)).toBe(outcome);
  });

  it("is not evaluable without metrics", () => {
    expect(criteria.evaluate(planOf("metrics.ok"), undefined)).toBe("not_evaluable");
  });
});
