import { describe, expect, it } from "vitest";
import { textOf } from "../../../src/cli/view/row.ts";
import { treeLines } from "../../../src/cli/view/tree-lines.ts";
import { buildView, type View } from "../../../src/cli/view/view-model.ts";
import { widthOf } from "../../../src/cli/output/width.ts";
import { project } from "../../../src/engine/state/evolve.ts";
import { emptyLedger, evolveLedger } from "../../../src/engine/state/ledger.ts";
import { BEGAN, FactList, largeRun, testedRun, wholeRun } from "./a-run.ts";

function viewOf(list: FactList, columns: number, rows: number, scroll = 0): View {
  const ledger = list.facts.reduce(evolveLedger, emptyLedger());
  return buildView({ state: project(list.facts), ledger, now: BEGAN + 300_000, columns, rows, scroll });
}

function linesOf(view: View): string[] {
  return view.rows.map(textOf);
}

describe("the view of a run", () => {
  it("shows counters, budgets, tree, experiment, findings and verdict", () => {
    expect(linesOf(viewOf(testedRun(), 100, 24)).join("\n")).toMatchInlineSnapshot(`
      "Does binary insertion sort beat merge sort on short arrays?                          running 5m 00s
      iteration 0/12  no progress 0/3  agents 1/3 active  findings 3  sources 0
      usd ░░░░░ $0.2500/$5.00  tok ░░░░░ 1.5k/20M  time ░░░░░ 5m 00s/4h 00m
      ● Supervisor                                               answered          4m 58s   1.5k  $0.2500
        ◷ Sorter                                                 timed_out: 30 m…     15s      0       $0
          ✓ Reviewer                                             completed            12s      0       $0
      ◇ supported  Count comparisons below 32 elements
      ◆ fact  Binary insertion uses fewer comparisons.
      ◆ hypothesis  It wins below 32 elements.
      ◆ open_question  Where do they cross?
      ★ supported  Ran as planned.
      Ctrl-C saves and stops"
    `);
  });

  it("fits forty columns and ten rows", () => {
    expect(linesOf(viewOf(testedRun(), 40, 10)).join("\n")).toMatchInlineSnapshot(`
      "Does binary insertion …  running 5m 00s
      it 0/12  idle 0/3  ag 1/3  fi 3  so 0
      usd 5%  tok 0%  time 2%
      ● Supervisor            4m 58s  $0.2500
        ◷ Sorter                 15s       $0
          ✓ Reviewer             12s       $0
      ◇ supported  Count comparisons below 3…
      ★ supported  Ran as planned.
      Ctrl-C saves and stops"
    `);
  });

  it.each([
    [40, 10],
    [60, 15],
    [80, 24],
    [100, 30],
    [200, 60],
  ])("never exceeds %d columns and %d rows, whatever is in it", (columns, rows) => {
    for (const list of [new FactList(), testedRun(), wholeRun(), largeRun(200)]) {
      const view = viewOf(list, columns, rows);
      expect(view.rows.length).toBeLessThan(rows);
      for (const line of linesOf(view)) expect(widthOf(line)).toBeLessThan(columns);
    }
  });

  it("keeps columns aligned behind wide letters, emoji, combining marks and right-to-left names", () => {
    const lines = linesOf(viewOf(largeRun(7), 80, 30)).filter((line) => line.includes(" $0"));
    expect(lines).toHaveLength(7);
    expect(new Set(lines.map(widthOf)).size).toBe(1);
  });

  it("neutralises what models and pages wrote", () => {
    const list = testedRun()
      .spawn("root.2", "\u001B[2Jna\u202Eme")
      .publish({ id: "f-9", type: "fact", statement: "\u001B]8;;http://e\u0007x" });
    expect(linesOf(viewOf(list, 100, 30)).join("\n")).not.toMatch(/[^\P{Cc}\n]|\u202E|http:\/\/e/u);
  });

  it("says why the run ended, what it waits for, or that it is stopping", () => {
    const foot = (list: FactList): string | undefined => linesOf(viewOf(list, 80, 20)).at(-1);
    const gate = { gate: "g-1", agent: "root", call: "g", prompt: "Which range?", options: [], allowed_events: ["ANSWERED"] };
    expect(foot(wholeRun())).toBe("goal_achieved: the hypothesis was tested");
    expect(foot(testedRun().add("gate_opened", gate))).toBe("? Which range?");
    expect(foot(testedRun().add("run_stopping", { reason: "wall_time", detail: "4 hours" }))).toBe("stopping: wall_time: 4 hours");
    expect(foot(testedRun())).toBe("Ctrl-C saves and stops");
  });

  it("warns as a budget runs out", () => {
    const tones = (usd: number): (string | undefined)[] =>
      viewOf(new FactList().start().spawn("root", "S").answer("root", 0, usd), 80, 20).rows[2]?.map((span) => span.tone) ?? [];
    expect(tones(0.1)[1]).toBe("good");
    expect(tones(4)[1]).toBe("warn");
    expect(tones(4.9)[1]).toBe("bad");
  });

  it("draws 200 agents in a few milliseconds", () => {
    const list = largeRun(200);
    const state = project(list.facts);
    const input = { state, ledger: emptyLedger(), now: BEGAN, columns: 120, rows: 40, scroll: 0 };
    buildView(input);
    const began = performance.now();
    for (let at = 0; at < 10; at++) buildView(input);
    expect((performance.now() - began) / 10).toBeLessThan(50);
  });
});

describe("a tree larger than the screen", () => {
  it("folds finished subtrees first, then finished siblings, and never what still works", () => {
    const list = new FactList().start().spawn("root", "S");
    for (const id of ["root.1", "root.1.1", "root.1.2", "root.2", "root.3", "root.4"]) list.spawn(id, id);
    for (const id of ["root.1.1", "root.1.2", "root.1", "root.2", "root.4"]) list.finish(id);
    const shapes = (room: number): string[] =>
      treeLines(project(list.facts), room).map((line) =>
        line.kind === "agent" ? `${line.agent.id}+${line.folded}` : `${line.amount} finished`,
      );
    expect(shapes(7)).toEqual(["root+0", "root.1+0", "root.1.1+0", "root.1.2+0", "root.2+0", "root.3+0", "root.4+0"]);
    expect(shapes(5)).toEqual(["root+0", "root.1+2", "root.2+0", "root.3+0", "root.4+0"]);
    expect(shapes(4)).toEqual(["root+0", "4 finished", "root.3+0", "1 finished"]);
  });

  it("scrolls over every working agent and counts what is hidden", () => {
    const list = largeRun(200);
    const state = project(list.facts);
    const working = [...state.agents.values()].filter((agent) => agent.status === "running").length;
    const first = viewOf(list, 100, 20);
    let seen = 0;
    const totals = new Set<number>();
    for (let scroll = 0; scroll <= first.maxScroll; scroll++) {
      const view = viewOf(list, 100, 20, scroll);
      const tree = linesOf(view).slice(3, -1);
      const above = Number(/↑ (\d+) more/.exec(tree[0] ?? "")?.[1] ?? 0);
      const below = Number(/\+(\d+) more/.exec(tree.at(-1) ?? "")?.[1] ?? 0);
      const shown = tree.length - (above > 0 ? 1 : 0) - (below > 0 ? 1 : 0);
      // Every line is above, shown or below: the sum never changes.
      totals.add(above + shown + below);
      seen = Math.max(seen, above + shown);
    }
    expect([...totals]).toEqual([seen]);
    expect(seen).toBeGreaterThanOrEqual(working);
    expect(linesOf(viewOf(list, 100, 20, 10_000))).toEqual(linesOf(viewOf(list, 100, 20, first.maxScroll)));
  });
});
