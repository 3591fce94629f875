import { describe, expect, it } from "vitest";
import { makeFactPrinter } from "../../../src/cli/progress/print-facts.ts";
import { FactList, wholeRun } from "./a-run.ts";
import { testIo } from "./test-io.ts";

function linesOf(list: FactList): string[] {
  const io = testIo();
  list.facts.forEach(makeFactPrinter(io, { json: false }));
  expect(io.out()).toBe("");
  return io.err().trimEnd().split("\n");
}

describe("progress without a terminal", () => {
  it("is one line for each thing worth telling", () => {
    expect(linesOf(wholeRun())).toMatchInlineSnapshot(`
      [
        "12:00:00  run 20260301-120000-sorting-ab12 started: Does binary insertion sort beat merge sort on short arrays?",
        "12:00:02  root Supervisor  started",
        "12:00:05  root.1 Sorter  spawned by root (lab/small): find out",
        "12:00:06  root.1 Sorter  started",
        "12:00:07  root.1.1 Reviewer  spawned by root.1 (lab/small): find out",
        "12:00:08  root.1.1 Reviewer  started",
        "12:00:09  root.1 Sorter  web_read https://example.org/sorting",
        "12:00:11  root.1 Sorter  fact f-0000000001 (observed): Binary insertion uses fewer comparisons.",
        "12:00:12  root.1 Sorter  hypothesis h-0000000001 (hypothetical): It wins below 32 elements.",
        "12:00:13  root.1 Sorter  open_question q-0000000001 (hypothetical): Where do they cross?",
        "12:00:14  root.1 Sorter  registered x-0000000001: Count comparisons below 32 elements",
        "12:00:15  root.1 Sorter  runs x-0000000001, execution 1",
        "12:00:16  root.1 Sorter  x-0000000001 completed, outcome met",
        "12:00:17  root.1.1 Reviewer  reviewed x-0000000001: supported",
        "12:00:18  root.1.1 Reviewer  hypothesis h-0000000001 is supported",
        "12:00:19  root.1 Sorter  closed q-0000000001: Near 40.",
        "12:00:20  root.1.1 Reviewer  completed",
        "12:00:21  root.1 Sorter  timed_out: 30 minutes",
        "12:00:22  iteration 1 closed: 2 findings, 0 questions, 0 contradictions, 1 verdicts",
        "12:00:23  run stops: goal_achieved: the hypothesis was tested",
        "12:00:24  root Supervisor  completed",
        "12:00:25  report written by supervisor: report.md",
        "12:00:26  run completed: goal_achieved: the hypothesis was tested",
      ]
    `);
  });

  it("gives reasons for refusals and made-up controls no power", () => {
    const list = new FactList()
      .start()
      .spawn("root", "Super\u001B[2Jvisor")
      .add("tool_started", { agent: "root", call: "1", tool: "web_search", args: { query: "a\nb\u202E" } })
      .add("tool_finished", { agent: "root", call: "1", tool: "web_search", ok: false, text: "not configured\n\u001B]0;x\u0007set it" });
    const lines = linesOf(list).slice(-2);
    expect(lines).toEqual([
      "12:00:03  root Supervisor  web_search a b",
      "12:00:04  root Supervisor  web_search refused: not configured set it",
    ]);
  });

  it("isolates right-to-left text, so that what stands beside it stays in place", () => {
    const list = new FactList().start().spawn("root", "باحث 1").publish({ id: "f-1", type: "fact", statement: "بحث في 5 سنوات" }, "root");
    expect(linesOf(list).at(-1)).toBe("12:00:03  root \u2068باحث 1\u2069  fact f-1 (observed): \u2068بحث في 5 سنوات\u2069");
  });

  it("never wraps a long statement over lines", () => {
    const [line] = linesOf(new FactList().start("why? ".repeat(200))).slice(-1);
    expect(line?.length).toBeLessThan(180);
    expect(line).toMatch(/…$/);
  });

  it("is every fact as one line of JSON for programs, and nothing on stderr", () => {
    const io = testIo();
    const { facts } = wholeRun().publish({ id: "f-2", type: "fact", statement: "بحث" });
    facts.forEach(makeFactPrinter(io, { json: true }));
    expect(
      io
        .out()
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(facts);
    expect(io.err()).toBe("");
  });
});
