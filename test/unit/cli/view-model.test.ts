import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/domain/events.ts";
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
    [40, 8],
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
    for (const list of [new FactList(), testedRun(), wholeRun(), largeRun(200), waitingRun()]) {
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
    expect(foot(waiting)).toBe("waits for your decision (f shows it)");
    expect(linesOf(viewOf(waiting)).at(-1)).toBe("waits for your decision (see above)");
    expect(linesOf(viewOf(waiting))).toContain("? Which range?");
    expect(linesOf(viewOf(waiting, { columns: 120 })).join("\n")).toContain(`hypo respond ${RUN} ${waiting.facts.length} --event ANSWERED`);
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

  it("begins an answer anew that is asked for again, and forgets one that will not come", () => {
    const list = testedRun();
    const transcript = transcriptOf(list, "root");
    const text = (): string => transcript.rowsAt(60).map(textOf).join("\n");
    const add = (more: FactList): void => transcript.add(more.facts.at(-1) as Fact);
    transcript.stream("the first half");
    add(list.add("spend_reserved", { reservation: "r", agent: "root.1", usd: 1, tokens: 1 }));
    expect(text()).toContain("the first half");
    add(list.add("spend_reserved", { reservation: "s", agent: "root", usd: 1, tokens: 1 }));
    transcript.stream("the whole");
    expect(text()).toContain("answers ...\n  the whole");
    add(list.finish("root", "cancelled"));
    expect(text()).not.toContain("answers ...");
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

/** A run that waits for the person, with a question and options in several scripts. */
function waitingRun(): FactList {
  return testedRun().add("gate_opened", {
    gate: "g-1",
    agent: "root",
    call: "g",
    prompt: "Which data shall the comparison rest on? The two sets disagree below 32 elements, and the answer depends on it.",
    options: [
      { value: "全部数据", label: "使用两个数据集的全部数据，并在报告中分别说明它们在小数组上的差异以及可能的原因，然后再次运行所有实验" },
      { value: "بيانات 2020", label: "استخدام بيانات 2020 فقط لأنها أحدث وأكثر اكتمالاً من غيرها وقد راجعها ثلاثة باحثين مستقلين" },
      { value: "it's neither", label: "stop here" },
    ],
    allowed_events: ["ANSWER"],
  });
}

describe("a gate", () => {
  const shown = (columns: number, rows: number, page: Page, hypo = "hypo"): string => {
    const said = ["a warning"];
    const view = viewOf(waitingRun(), { columns, rows, said, hypo, screen: { ...openScreen(), page } });
    expect(view.rows.length).toBeLessThan(rows);
    for (const line of linesOf(view)) expect(widthOf(line)).toBeLessThan(columns);
    return linesOf(view).join("\n");
  };

  it("is asked in the view of the run with the command that answers it, in two rows at least", () => {
    const small = shown(40, 10, { kind: "run" }).split("\n");
    expect(small.slice(-3)).toEqual([
      "? Which data shall the comparison rest…",
      "  hypo respond 20260301-120000 23 --ou…",
      "waits for your decision (f shows it)",
    ]);
    expect(small.filter((line) => /[●◷✓] /.test(line))).toHaveLength(2);
  });

  it.each([
    [80, 24, "用两个数据集的全部数据，并在报告中分别说明它们在小数组上的差异…"],
    [120, 40, "以及可能的原因，然后再次运行所有实验"],
  ])("is asked with its options on %d x %d", (columns, rows, label) => {
    const text = shown(columns, rows, { kind: "run" }, "hypo -C ../lab");
    expect(text.replaceAll("\n", " ")).toContain("the answer depends on it.");
    expect(text).toMatch(new RegExp(`    全部数据: .*${label}\n    بيانات 2020: .*\n    it's neither: stop here\n`));
    expect(text).toContain(`  hypo -C ../lab respond ${RUN} 23 --output '"全部数据"'\n! a warning\n`);
  });

  it("names the run by the beginning of its id where there is no room for all of it", () => {
    expect(shown(60, 24, { kind: "run" })).toContain(`  hypo respond 20260301-120000 23 --output '"全部数据"'\n`);
    expect(shown(50, 24, { kind: "run" })).toContain("  hypo respond 20260301-120000 23 --output '\"...…\n");
  });

  it("is in full on the page of findings: question, options and the command", () => {
    const inFull = `Decision
? Which data shall the comparison rest on? The two sets disagree below 32
elements, and the answer depends on it.
  全部数据:
  使用两个数据集的全部数据，并在报告中分别说明它们在小数组上的差异以及可能的原
  因，然后再次运行所有实验
  بيانات 2020: استخدام بيانات 2020 فقط لأنها أحدث وأكثر اكتمالاً من غيرها وقد
  راجعها ثلاثة باحثين مستقلين
  it's neither: stop here
To answer with the first:
  hypo -C ../lab respond ${RUN} 23 --output '"全部数据"'
Findings
`;
    expect(shown(80, 24, { kind: "findings" }, "hypo -C ../lab")).toContain(inFull);
    expect(shown(80, 24, { kind: "findings" })).toMatch(/waits for your decision \(see above\)$/);
    // Where it does not fit, it is wrapped, and nothing of it is lost.
    const narrow = shown(40, 60, { kind: "findings" }, "hypo -C ../lab");
    expect(narrow).toContain(`  hypo -C ../lab respond\n  20260301-120000 23 --output\n  '"全部数据"'\n`);
    expect(narrow.replaceAll("\n  ", "")).toContain("说明它们在小数组上的差异以及可能的原因，然后再次运行所有实验");
  });

  it("says what an answer has to fit, and quotes what a shell would read otherwise", () => {
    const list = (more: object): FactList =>
      testedRun().add("gate_opened", {
        gate: "g",
        agent: "root",
        call: "g",
        prompt: "?",
        options: [],
        allowed_events: ["ANSWER"],
        ...more,
      });
    const text = (more: object): string =>
      linesOf(viewOf(list(more), { rows: 60, screen: { ...openScreen(), page: { kind: "findings" } } })).join("\n");
    expect(text({ output_schema: { type: "number" } })).toContain('  JSON that fits {"type":"number"}\nTo answer:\n');
    expect(text({ options: [{ value: "it's", label: "x" }] })).toContain(` --output '"it'\\''s"'`);
  });

  it("waits no longer once it is answered or the run is over", () => {
    const answered = waitingRun().add("gate_answered", { gate: "g-1", event: "ANSWER", output: "全部数据" });
    const over = waitingRun().add("run_finished", { state: "stopped", reason: "cancelled", detail: "stopped", answered: false });
    for (const list of [answered, over]) {
      for (const page of [{ kind: "run" }, { kind: "findings" }] as const) {
        const text = linesOf(viewOf(list, { rows: 60, screen: { ...openScreen(), page } })).join("\n");
        expect(text).not.toMatch(/respond|Which data|your decision/);
      }
    }
  });
});
