import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { isReached, type BatchResult } from "../../../src/cli/batch/batch-result.ts";
import { renderJunit } from "../../../src/cli/batch/junit.ts";
import { exitCodeOf } from "../../../src/cli/batch/run-batch.ts";
import { renderSummary } from "../../../src/cli/batch/summary.ts";

function result(overrides: Partial<BatchResult>): BatchResult {
  return {
    v: 1,
    id: "a",
    line: 1,
    question: "Why?",
    status: "answered",
    reached: true,
    run: "20260301-120000-why-0001",
    answer: "Because.",
    confidence: "low",
    verdicts: [],
    stop_reason: "goal_achieved",
    detail: "done",
    usd: 0.25,
    tokens: 1000,
    elapsed_seconds: 60,
    report: ".hypo/runs/x/report.md",
    error: null,
    ...overrides,
  };
}

const HOSTILE = 'a "b" <c> & ]]> \u0000\u001B[31m | `x` [l](http://e.com) <!-- \uD800 \n second';

describe("the JUnit report of a batch", () => {
  it("counts answers, failures, errors and what was not run", () => {
    const xml = renderJunit("q.csv", [
      result({}),
      result({ id: "b", status: "unanswered", reached: false, stop_reason: "budget_exhausted", detail: "no money" }),
      result({ id: "c", status: "failed", reached: false, error: { code: "model_unavailable", message: "It is away.", hint: null } }),
      result({ id: "d", status: "skipped", reached: false }),
      result({ id: "e", reached: false, verdicts: ["inconclusive"] }),
    ]);
    const parsed = new XMLParser({ ignoreAttributes: false }).parse(xml) as { testsuites: { testsuite: Record<string, unknown> } };
    const suite = parsed.testsuites.testsuite;
    expect(suite).toMatchObject({ "@_tests": "5", "@_failures": "2", "@_errors": "1", "@_skipped": "1", "@_time": "300" });
    expect(suite["testcase"]).toMatchObject([
      { "@_name": "a" },
      { "@_name": "b", failure: { "@_message": "unanswered: budget_exhausted: no money" } },
      { "@_name": "c", error: { "@_message": "model_unavailable: It is away." } },
      { "@_name": "d", skipped: {} },
      { "@_name": "e", failure: { "@_message": expect.stringContaining("without a supported verdict (inconclusive)") } },
    ]);
  });

  it("stays well-formed whatever questions, answers and ids hold", () => {
    const xml = renderJunit(HOSTILE, [result({ id: HOSTILE, question: HOSTILE, answer: HOSTILE, reached: false, detail: HOSTILE })]);
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(xml).not.toMatch(/[^\P{Cc}\n]/u);
  });
});

describe("the summary of a batch", () => {
  it("has a row a question, and a total", () => {
    const text = renderSummary("q.csv", [result({}), result({ id: "b", reached: false, status: "unanswered", answer: null })]);
    expect(text).toContain("1 of 2 questions reached an answer; $0.5000 spent.");
    expect(text).toContain("| a | yes | answered | Why? | Because. | low |  | $0.2500 | 1m 00s | 20260301-120000-why-0001 |");
    expect(text).toContain("| b | no | unanswered | Why? | done |");
  });

  it("lets no text out of its cell, and makes no link or mark of it", () => {
    const rows = renderSummary("x", [result({ question: HOSTILE })])
      .split("\n")
      .filter((line) => line.startsWith("| a "));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.split("|")).toHaveLength(12);
    expect(rows[0]).not.toMatch(/[<`[]/);
  });
});

describe("what counts as an answer", () => {
  it.each([
    ["any", "answered", [], true],
    ["supported", "answered", ["inconclusive", "supported"], true],
    ["supported", "answered", ["partially_supported"], false],
    ["supported", "unanswered", ["supported"], false],
    ["any", "waiting", [], false],
  ] as const)("with %s, a run that is %s with verdicts %j: %s", (requirement, status, verdicts, expected) => {
    expect(isReached({ status, verdicts: [...verdicts] }, requirement)).toBe(expected);
  });

  it.each([
    ["all are reached", [{}], 0],
    ["one is unanswered", [{}, { reached: false, status: "unanswered" }], 3],
    [
      "one waits",
      [
        { reached: false, status: "unanswered" },
        { reached: false, status: "waiting" },
      ],
      8,
    ],
    [
      "one failed",
      [
        { reached: false, status: "waiting" },
        { reached: false, status: "failed" },
      ],
      1,
    ],
    ["credentials are missing", [{ reached: false, status: "failed", error: { code: "credentials_missing", message: "", hint: null } }], 4],
  ] as const)("gives the exit code where %s", (_what, results, code) => {
    expect(exitCodeOf(results.map((each) => result(each)))).toBe(code);
  });
});
