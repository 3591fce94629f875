import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SharedBudget } from "../../../src/cli/batch/shared-budget.ts";

describe("the money of a batch", () => {
  it("is not reserved where there is no limit", () => {
    const budget = new SharedBudget(null);
    expect([budget.reserve("a", 5, 0), budget.reserve("b", null, 0)]).toEqual([5, null]);
  });

  it("has later runs wait for what earlier ones hold, and draw what those left", () => {
    const budget = new SharedBudget(8);
    expect(budget.reserve("a", 5, 0)).toBe(5);
    expect(budget.reserve("b", 5, 0)).toBe("later");
    budget.settle("a", 1);
    expect(budget.reserve("b", 5, 0)).toBe(5);
    budget.settle("b", 5);
    expect(budget.reserve("c", 5, 0)).toBe(2);
    budget.settle("c", 2);
    expect(budget.reserve("d", 5, 0)).toBe("exhausted");
  });

  it("counts what a resumed run has spent before only once", () => {
    const budget = new SharedBudget(6);
    budget.settle("a", 3);
    expect(budget.reserve("a", 5, 3)).toBe(5);
    expect(budget.reserve("b", 1, 0)).toBe(1);
    expect(budget.reserve("c", 4, 0)).toBe("later");
  });

  it("gives a run without a cap all that is left, once nobody else holds any", () => {
    const budget = new SharedBudget(6);
    expect(budget.reserve("a", 2, 0)).toBe(2);
    expect(budget.reserve("b", null, 0)).toBe("later");
    budget.settle("a", 2);
    expect(budget.reserve("b", null, 0)).toBe(4);
  });

  it("is never passed, whatever runs want and spend within their caps", () => {
    const item = fc.record({
      wanted: fc.option(fc.nat(9), { nil: null }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      ends: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.nat(20), fc.array(item, { maxLength: 12 }), (total, items) => {
        const budget = new SharedBudget(total);
        const held = new Map<string, number>();
        let spent = 0;
        for (const [index, { wanted, share, ends }] of items.entries()) {
          const cap = budget.reserve(String(index), wanted, 0);
          if (typeof cap === "number") held.set(String(index), cap);
          expect([...held.values()].reduce((sum, each) => sum + each, spent)).toBeLessThanOrEqual(total + 1e-9);
          if (!ends) continue;
          for (const [id, most] of held) {
            spent += most * share;
            budget.settle(id, most * share);
          }
          held.clear();
        }
      }),
    );
  });
});
