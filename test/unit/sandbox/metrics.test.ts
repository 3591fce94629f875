import { describe, expect, it } from "vitest";
import type { MetricPlan } from "../../../src/domain/experiment.ts";
import { readMetrics } from "../../../src/sandbox/metrics.ts";

const PLAN: MetricPlan[] = [
  { name: "x", type: "double", tolerance: 0 },
  { name: "n", type: "int", tolerance: 0 },
  { name: "ok", type: "bool", tolerance: 0 },
  { name: "label", type: "string", tolerance: 0 },
];
const read = (text: string) => readMetrics(Buffer.from(text), PLAN);

describe("metrics.json", () => {
  it("is read when it holds every declared metric", () => {
    expect(read(' {"x": -1.5e3, "n": 4,\n"ok": true, "label": "a \\"b\\" \\u00e9"} \n')).toEqual({
      metrics: { x: -1500, n: 4, ok: true, label: 'a "b" é' },
    });
  });

  it("may write a whole number for a double and 4.0 for an int", () => {
    expect(read('{"x": 1, "n": 4.0, "ok": false, "label": ""}')).toEqual({ metrics: { x: 1, n: 4, ok: false, label: "" } });
  });

  it.each([
    ["NaN", '{"x": NaN, "n": 1, "ok": true, "label": ""}', /"x" is NaN; only finite/],
    ["minus infinity", '{"x": -Infinity, "n": 1, "ok": true, "label": ""}', /"x" is -Infinity; only finite/],
    ["a number that overflows", '{"x": 1e999, "n": 1, "ok": true, "label": ""}', /"x" is 1e999, which is too large/],
    ["a duplicate key", '{"x": 1, "x": 2, "n": 1, "ok": true, "label": ""}', /the key "x" occurs twice/],
    ["a duplicate key in another spelling", '{"x": 1, "\\u0078": 2}', /occurs twice/],
    ["a missing metric", '{"x": 1, "n": 1, "ok": true}', /the metric "label" is missing/],
    ["text for a number", '{"x": "1", "n": 1, "ok": true, "label": ""}', /"x" must be a number, not a string/],
    ["a number for a bool", '{"x": 1, "n": 1, "ok": 1, "label": ""}', /"ok" must be true or false, not a number/],
    ["a fraction for an int", '{"x": 1, "n": 1.5, "ok": true, "label": ""}', /"n" must be a whole number/],
    ["an int that a double cannot hold", '{"x": 1, "n": 9007199254740993, "ok": true, "label": ""}', /"n" must be a whole number within/],
    ["a metric the plan does not declare", '{"x": 1, "n": 1, "ok": true, "label": "", "y": 2}', /"y" is not a metric of the plan/],
    ["null", '{"x": null, "n": 1, "ok": true, "label": ""}', /"x" is null/],
    ["a nested value", '{"x": [1], "n": 1, "ok": true, "label": ""}', /"x" is nested/],
    ["an array", "[1]", /expected an object/],
    ["nothing", "", /expected an object that starts with \{ at character 0, but the file ends/],
    ["a file cut short", '{"x": 1, "n"', /expected a colon/],
    ["trailing text", '{"x": 1, "n": 1, "ok": true, "label": ""} x', /expected the end of the file/],
    ["a byte order mark", '\ufeff{"x": 1}', /expected an object/],
    ["Python's quotes", "{'x': 1}", /expected a name in double quotes/],
    ["a hexadecimal number", '{"x": 0x10}', /expected a comma/],
    ["a raw newline in a string", '{"label": "a\nb"}', /not a valid JSON string/],
    ["a prototype key", '{"__proto__": 1, "x": 1, "n": 1, "ok": true, "label": ""}', /"__proto__" is not a metric/],
  ])("with %s is a named problem", (_what, text, problem) => {
    expect(read(text)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it("that is not UTF-8 is a named problem", () => {
    expect(readMetrics(Buffer.from([0x7b, 0xff, 0x7d]), PLAN)).toEqual({ problem: "metrics.json is not valid UTF-8" });
  });

  it("larger than 1 MiB is not read", () => {
    expect(readMetrics(Buffer.alloc(1024 * 1024 + 1, 0x20), PLAN)).toEqual({ problem: expect.stringContaining("at most 1048576") });
  });

  it.each([
    ["a million opening brackets", `{"x": ${"[".repeat(1_000_000)}`],
    ["a million opening braces", '{"a":'.repeat(200_000)],
    ["a string of a million characters", `{"x": "${"a".repeat(1_000_000)}"`],
    ["half a million escapes", `{"x": "${"\\n".repeat(500_000)}`],
    ["a number of a million digits", `{"x": ${"9".repeat(1_000_000)}}`],
  ])("made of %s is refused at once", (_what, text) => {
    const before = performance.now();
    expect(read(text)).toHaveProperty("problem");
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});
