import { describe, expect, it } from "vitest";
import { ExecutionResult, MetricPlan } from "../../../src/domain/experiment.ts";
import { compareEnvironments, compareReplay } from "../../../src/sandbox/compare.ts";

const RESULT = ExecutionResult.parse({
  v: 1,
  experiment: "x-1",
  execution: 1,
  confirmatory: true,
  status: "completed",
  exit_code: 0,
  outcome: "met",
  plan_sha256: "p",
  code_sha256: "c",
  command: ["python3", "main.py"],
  image: "i",
  files: [],
  artifacts: [],
  stdout_head: "",
  stdout_tail: "",
  stderr_head: "",
  stderr_tail: "",
  stdout_bytes: 0,
  stderr_bytes: 0,
  limits_hit: [],
  environment: {},
  started_at: "2026-01-01T00:00:00.000Z",
  ended_at: "2026-01-01T00:00:01.000Z",
});

function compareOne(metric: Record<string, unknown>, before: unknown, after: unknown) {
  const metrics = [MetricPlan.parse({ name: "m", ...metric })];
  const resultWith = (value: unknown) => ExecutionResult.parse({ ...RESULT, metrics: { m: value } });
  const { reproduced, metrics: compared } = compareReplay({ metrics }, resultWith(before), resultWith(after));
  return `${compared[0]?.comparison}, ${reproduced ? "reproduced" : "not reproduced"}`;
}

describe("a metric of a replay", () => {
  it.each([
    ["the same number", {}, 0.1, 0.1, "identical, reproduced"],
    ["another number where no tolerance was registered", {}, 0.1, 0.1 + Number.EPSILON, "different, not reproduced"],
    ["a number just within the tolerance", { tolerance: 0.5 }, 1, 1.5, "within_tolerance, reproduced"],
    ["a number just beyond it", { tolerance: 0.5 }, 1, 1.5000001, "different, not reproduced"],
    ["a number beyond it on the other side", { tolerance: 0.5 }, -1, -1.6, "different, not reproduced"],
    ["another whole number within the tolerance", { type: "int", tolerance: 1 }, 3, 4, "within_tolerance, reproduced"],
    ["the same text", { type: "string" }, "a", "a", "identical, reproduced"],
    ["another text, whatever the tolerance", { type: "string", tolerance: 9 }, "a", "b", "different, not reproduced"],
    ["another truth value", { type: "bool", tolerance: 9 }, true, false, "different, not reproduced"],
  ])("%s", (_what, metric, before, after, expected) => {
    expect(compareOne(metric, before, after)).toBe(expected);
  });
});

describe("a replay", () => {
  const plan = { metrics: [MetricPlan.parse({ name: "m" })] };
  const withM = { ...RESULT, metrics: { m: 1 } };

  it("that ends in another way is not reproduced, and says how it ended", () => {
    const replayed = { ...RESULT, status: "timed_out" as const, exit_code: 137 };
    expect(compareReplay(plan, withM, replayed)).toMatchObject({
      reproduced: false,
      reason: "it was completed, and the replay is timed_out with exit code 137",
    });
  });

  it("that leaves no usable metrics is not reproduced", () => {
    const replayed = { ...RESULT, metrics_problem: "metrics.json is not valid UTF-8" };
    expect(compareReplay(plan, withM, replayed)).toMatchObject({
      reproduced: false,
      reason: "the replay has no usable metrics: metrics.json is not valid UTF-8",
      metrics: [{ name: "m", original: 1, comparison: "different" }],
    });
  });

  it("of an execution that failed is reproduced by failing in the same way", () => {
    const failed = { ...RESULT, status: "failed" as const, exit_code: 3 };
    expect(compareReplay(plan, failed, failed).reproduced).toBe(true);
    expect(compareReplay(plan, failed, { ...failed, exit_code: 4 }).reproduced).toBe(false);
  });

  it("names artefacts that differ, without failing for them", () => {
    const file = (path: string, sha256: string) => ({ path, size: 1, sha256 });
    const compared = compareReplay(
      plan,
      { ...withM, artifacts: [file("a", "1"), file("b", "1"), file("c", "1")] },
      { ...withM, artifacts: [file("a", "1"), file("b", "2"), file("d", "1")] },
    );
    expect(compared.reproduced).toBe(true);
    expect(compared.artifacts.map(({ path, comparison }) => `${path} ${comparison}`)).toEqual([
      "a identical",
      "b different",
      "c missing",
      "d new",
    ]);
  });

  it("lists what in its environment is different, of flags only those that one of them lacks, and never the user", () => {
    expect(
      compareEnvironments(
        { kernel: "6.1", cpu_flags: ["avx", "avx512f", "sse"], uid: 10_000, env: ["A=1", "B=2"], docker: "20" },
        { kernel: "6.2", cpu_flags: ["avx", "sse"], uid: 20_000, env: ["A=1", "B=3"], docker: "20", machine_processors: 2 },
      ),
    ).toEqual([
      { name: "cpu_flags", original: "avx512f", replayed: "" },
      { name: "env", original: "B=2", replayed: "B=3" },
      { name: "kernel", original: "6.1", replayed: "6.2" },
      { name: "machine_processors", original: "", replayed: "2" },
    ]);
  });
});
