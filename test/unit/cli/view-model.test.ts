import { describe, expect, it } from "vitest";
import { textOf } from "../../../src/cli/view/row.ts";
import { openScreen, type Page, type Screen } from "../../../src/cli/view/screen.ts";
import { Transcript } from "../../../src/cli/view/transcript.ts";
import { moveInTree } from "../../../src/cli/view/tree-keys.ts";
import { treeLines, type Folding } from "../../../src/cli/view/tree-lines.ts";
import { buildView, type View } from "../../../src/cli/view/view-model.ts";
import { widthOf } from "../../../src/cli/output/width.ts";
import { project } from "../../../src/engine/state/evolve.ts";
import { FactList, largeRun, RUN, testedRun, wholeRun } from "./a-run.ts";
import { inputOf, viewOf } from "./a-view.ts";

function linesOf(view: View): string[] {
  return view.rows.map(textOf);
}

describe("the view of a run", () => {
  it("shows counters, budgets, tree, experiment, findings and verdict", () => {
    expect(linesOf(viewOf(testedRun(), { columns: 100, rows: 24 })).join("\n")).toMatchInlineSnapshot(`
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
      "
    `);
  });

  it("fits forty columns and ten rows", () => {
    expect(linesOf(viewOf(testedRun(), { columns: 40, rows: 10, screen: openScreen() })).join("\n")).toMatchInlineSnapshot(`
      "Does binary insertion …  running 5m 00s
      it 0/12  idle 0/3  ag 1/3  fi 3  so 0
      usd 5%  tok 0%  time 2%
      › ● Supervisor          4m 58s  $0.2500
          ◷ Sorter               15s       $0
            ✓ Reviewer           12s       $0
      ◇ supported  Count comparisons below 3…
      ★ supported  Ran as planned.
      Ctrl-C saves and stops · ? help"
    `);
  });

  it.each([
    [40, 10],
    [60, 15],
    [80, 24],
    [100, 30],
    [200, 60],
  ])("never exceeds %d columns and %d rows, whatever is in it", (columns, rows) => {
    const said = ["a warning that goes on and on ".repeat(20), "検索 ".repeat(90), "third"];
    const asking = { kind: "steer" as const, agent: "root", text: "検索する者 é́ 👩‍🔬 ".repeat(30) };
    const notice = { text: "a notice ".repeat(40), tone: "warn" as const };
    const open = openScreen();
    const screens: (Screen | undefined)[] = [
      undefined,
      open,
      { ...open, asking },
      { ...open, notice },
      { ...open, page: { kind: "findings" }, scroll: 3 },
      { ...open, page: { kind: "help" } },
      { ...open, page: { kind: "transcript", agent: "root" } },
    ];
    for (const list of [new FactList(), testedRun(), wholeRun(), largeRun(200)]) {
      const transcript = transcriptOf(list, "root");
      for (const screen of screens) {
        const view = viewOf(list, { columns, rows, screen, said, transcript });
        expect(view.rows.length).toBeLessThan(rows);
        for (const line of linesOf(view)) expect(widthOf(line)).toBeLessThan(columns);
      }
    }
  });

  it("keeps columns aligned behind wide letters, emoji, combining marks and right-to-left names", () => {
    const lines = linesOf(viewOf(largeRun(7), { columns: 80, rows: 30 })).filter((line) => line.includes(" $0"));
    expect(lines).toHaveLength(7);
    expect(new Set(lines.map(widthOf)).size).toBe(1);
  });

  it("neutralises what models and pages wrote", () => {
    const evil = "\u001B[2Jbe\u202Efore\u001B]8;;http://e\u0007x\u009B31m";
    const evidence = { source: "a".repeat(64), quote: evil, text_sha256: "b".repeat(64), extractor: "x", start: 0, end: 17 };
    const list = testedRun()
      .spawn("root.2", evil)
      .publish({ id: "f-9", type: "fact", statement: evil, evidence: [evidence] })
      .add("tool_started", { agent: "root.2", call: "t", tool: evil, args: { [evil]: evil } })
      .add("tool_finished", { agent: "root.2", call: "t", tool: "web_read", ok: true, text: evil })
      .add("agent_steered", { agent: "root.2", by: "person", message: evil, mode: "steer", after: 0 })
      .add("question_closed", { agent: "root.2", question: "q", by: ["f-9"], answer: evil });
    const transcript = transcriptOf(list, "root.2");
    transcript.stream(evil);
    const pages: Page[] = [{ kind: "run" }, { kind: "findings" }, { kind: "transcript", agent: "root.2" }];
    for (const page of pages) {
      const screen: Screen = { ...openScreen(), page, asking: { kind: "steer", agent: "root.2", text: evil } };
      const view = viewOf(list, { columns: 100, rows: 80, screen, transcript, said: [evil], progress: new Map([["x-0000000001", evil]]) });
      const text = linesOf(view).join("\n");
      expect(text).toContain("before");
      expect(text).not.toMatch(/[^\P{Cc}\n]|\u202E|http:\/\/e/u);
    }
  });

  it("says why the run ended, what it waits for, or that it is stopping", () => {
    const foot = (list: FactList): string | undefined => linesOf(viewOf(list, { screen: openScreen() })).at(-1);
    const gate = { gate: "g-1", agent: "root", call: "g", prompt: "Which range?", options: [], allowed_events: ["ANSWERED"] };
    expect(foot(wholeRun())).toBe("goal_achieved: the hypothesis was tested");
    const waiting = testedRun().add("gate_opened", gate);
    expect(foot(waiting)).toBe("waits for your decision (see above)");
    expect(linesOf(viewOf(waiting))).toContain("? Which range?");
    expect(linesOf(viewOf(waiting, { columns: 120 })).join("\n")).toContain(`hypo respond ${RUN} ${waiting.facts.length} --event ANSWER`);
    expect(foot(testedRun().add("run_stopping", { reason: "wall_time", detail: "4 hours" }))).toBe("stopping: wall_time: 4 hours");
    expect(foot(testedRun())).toContain("? help");
  });

  it("warns as a budget runs out", () => {
    const tones = (usd: number): (string | undefined)[] =>
      viewOf(new FactList().start().spawn("root", "S").answer("root", 0, usd)).rows[2]?.map((span) => span.tone) ?? [];
    expect(tones(0.1)[1]).toBe("good");
    expect(tones(4)[1]).toBe("warn");
    expect(tones(4.9)[1]).toBe("bad");
  });

  it("draws 200 agents in a few milliseconds", () => {
    const input = inputOf(largeRun(200), { columns: 120, rows: 40, screen: openScreen() });
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

  it("is read to its last line by moving down, and counts what is hidden", () => {
    const list = largeRun(200);
    const state = project(list.facts);
    let screen = openScreen();
    const seen = new Set<string>();
    const totals = new Set<number>();
    for (let at = 0; at < 200; at++) {
      const view = viewOf(list, { columns: 100, rows: 20, screen });
      const tree = linesOf(view).slice(3, -1);
      const above = Number(/↑ (\d+) more/.exec(tree[0] ?? "")?.[1] ?? 0);
      const below = Number(/↓ (\d+) more/.exec(tree.at(-1) ?? "")?.[1] ?? 0);
      totals.add(above + below + tree.length - Number(above > 0) - Number(below > 0));
      expect(tree.filter((line) => line.startsWith("› "))).toHaveLength(1);
      seen.add(screen.selected);
      screen = moveInTree(screen, "down", { state, view, abilities: { isAttached: false, canDetach: false } });
    }
    // Every line is above, shown or below: the sum never changes.
    expect(totals.size).toBe(1);
    const working = [...state.agents.values()].filter((agent) => agent.status === "running");
    expect(working.filter(({ id }) => !seen.has(id))).toEqual([]);
  });

  it("opens several finished agents one by one, and folds what still works, where a person says so", () => {
    const list = largeRun(30);
    const view = (folding: Folding): string => linesOf(viewOf(list, { rows: 16, screen: { ...openScreen(), folding } })).join("\n");
    const none: Folding = { folded: new Set(), opened: new Set() };
    expect(view(none)).toContain("✓ 1 finished");
    expect(view({ ...none, opened: new Set(["root.1"]) })).not.toEqual(view(none));
    expect(view({ ...none, folded: new Set(["root.1", "root.2", "root.3"]) })).toMatch(/● .*\(\+5\)/);
  });
});

describe("warnings", () => {
  it("are shown once each, and a missing container engine is one", () => {
    const list = testedRun();
    for (const execution of [2, 3]) {
      list
        .add("experiment_started", {
          agent: "root.1",
          call: `e${execution}`,
          experiment: "x-0000000001",
          execution,
          plan_sha256: "c".repeat(64),
          code_sha256: "d".repeat(64),
          command: ["python", "main.py"],
        })
        .add("experiment_finished", {
          agent: "root.1",
          call: `e${execution}`,
          experiment: "x-0000000001",
          execution,
          status: "docker_unavailable",
          outcome: "not_evaluable",
          exit_code: null,
          reason: "Docker does not answer.",
          result_sha256: "",
        });
    }
    const said = ["SearXNG: brave does not answer", "SearXNG: brave does not answer"];
    const lines = linesOf(viewOf(list, { columns: 100, rows: 40, said }));
    expect(lines.filter((line) => line.startsWith("! "))).toEqual([
      "! No container engine: Docker does not answer.",
      "! SearXNG: brave does not answer",
    ]);
  });

  it("leave the tree three rows on the smallest terminal", () => {
    const lines = linesOf(viewOf(largeRun(200), { columns: 40, rows: 10, screen: openScreen(), said: ["rate limited"] }));
    expect(lines).toHaveLength(9);
    expect(lines.filter((line) => /[●✓○] |↓ /.test(line)).length).toBeGreaterThanOrEqual(3);
    expect(lines).toContain("! rate limited");
  });
});

describe("an experiment at work", () => {
  it("tells what its container does", () => {
    const list = testedRun().add("experiment_started", {
      agent: "root.1",
      call: "e2",
      experiment: "x-0000000001",
      execution: 2,
      plan_sha256: "c".repeat(64),
      code_sha256: "d".repeat(64),
      command: ["python", "main.py"],
    });
    const progress = new Map([["x-0000000001", "pulling the image python:3.12-slim: 40 %"]]);
    expect(linesOf(viewOf(list, { columns: 120, progress }))).toContain(
      "◇ pulling the image python:3.12-slim: 40 % (execution 2)  Count comparisons below 32 elements",
    );
    expect(linesOf(viewOf(list, { columns: 120 })).join("\n")).toContain("◇ running (execution 2)");
  });
});

describe("the page of findings", () => {
  it("holds findings with their quotes, hypotheses, experiments with reviews, and warnings in full", () => {
    const screen: Screen = { ...openScreen(), page: { kind: "findings" } };
    expect(linesOf(viewOf(testedRun(), { rows: 60, screen, said: ["one"] })).join("\n")).toMatchInlineSnapshot(`
      "Findings: Does binary insertion sort beat merge sort on short arrays?
      Findings
      ◆ fact, observed  f-0000000001 by root.1
        Binary insertion uses fewer comparisons.
          for: “fewer comparisons”
            aaaaaaaaaaaa
      ◆ hypothesis, hypothetical  h-0000000001 by root.1
        It wins below 32 elements.
      ◆ open_question, hypothetical  q-0000000001 by root.1
        Where do they cross?
      Hypotheses
      ★ supported  h-0000000001
        It wins below 32 elements.
      Experiments
      ◇ supported  x-0000000001
        Count comparisons below 32 elements
          success: metrics.ratio < 1.0
          refutation: metrics.ratio >= 1.0
        supported by root.1.1: Ran as planned.
      Warnings
      one
      Ctrl-C saves and stops · ↑↓ scroll · Esc back · s steer · ? help"
    `);
  });
});

describe("a transcript", () => {
  it("holds what the agent was asked, did and said, wrapped and from its end", () => {
    const list = testedRun().add("model_answered", {
      agent: "root.1",
      index: 0,
      reservation: "r",
      purpose: "turn",
      messages: 1,
      stop_reason: "stop",
      usage: { input: 900, output: 100, cache_read: 0, cache_write: 0, usd: 0.01 },
      message: {
        content: [
          { type: "thinking", thinking: "Which range?" },
          { type: "text", text: `Below 32. ${"word ".repeat(30)}` },
        ],
      },
    });
    const screen: Screen = { ...openScreen(), page: { kind: "transcript", agent: "root.1" } };
    const view = viewOf(list, { columns: 70, rows: 60, screen, transcript: transcriptOf(list, "root.1") });
    expect(linesOf(view).join("\n")).toMatchInlineSnapshot(`
      "◷ root.1 Sorter                                         timed_out 15s
      task (lab/small)
        find out
      first prompt
        go
      → web_read
        url: https://example.org/sorting
      ← web_read
        ...
      · fact f-0000000001 (observed): Binary insertion uses fewer comparis…
      · hypothesis h-0000000001 (hypothetical): It wins below 32 elements.
      · open_question q-0000000001 (hypothetical): Where do they cross?
      · registered x-0000000001: Count comparisons below 32 elements
      · runs x-0000000001, execution 1
      · x-0000000001 completed, outcome met
      · closed q-0000000001: Near 40.
      timed_out: 30 minutes
        done
      thinking
        Which range?
      answer 1k tokens, $0.0100
        Below 32. word word word word word word word word word word word
        word word word word word word word word word word word word word
        word word word word word word
      Ctrl-C saves and stops · ↑↓ scroll · Esc back · s steer · ? help"
    `);
    const short = viewOf(list, { columns: 70, rows: 12, screen, transcript: transcriptOf(list, "root.1") });
    expect(linesOf(short)[1]).toMatch(/^↑ \d+ more$/);
    expect(linesOf(short).at(-2)).toContain("word");
  });

  it("misses nothing that is recorded while the earlier facts are read", async () => {
    const facts = testedRun().facts;
    const transcript = new Transcript("root.1");
    const middle = Math.floor(facts.length / 2);
    async function* reading() {
      // One fact is read and also comes as news; the later ones only come as news.
      for (const fact of facts.slice(0, middle)) yield fact;
      for (const fact of facts.slice(middle - 1)) transcript.add(fact);
    }
    await transcript.readFrom(reading());
    expect(transcript.rowsAt(60).map(textOf)).toEqual(transcriptOf(testedRun(), "root.1").rowsAt(60).map(textOf));
  });
});

function transcriptOf(list: FactList, agent: string): Transcript {
  const transcript = new Transcript(agent);
  for (const fact of list.facts) transcript.add(fact);
  return transcript;
}
