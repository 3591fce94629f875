import type { EventData, EventType, Fact } from "../../../src/domain/events.ts";
import type { Finding } from "../../../src/domain/finding.ts";
import { BUDGET_DEFAULT, LIMITS_DEFAULT } from "../../../src/domain/limit-defaults.ts";
import { parentOf, sampleFinding, samplePlan, sampleSpec } from "../../support/samples.ts";

export const RUN = "20260301-120000-sorting-ab12";
export const QUESTION = "Does binary insertion sort beat merge sort on short arrays?";
export const BEGAN = Date.parse("2026-03-01T12:00:00.000Z");
const PLAN = samplePlan("h-0000000001", {
  title: "Count comparisons below 32 elements",
  method: "Count comparisons of both on random arrays.",
});

/** Builds facts on `main`, a second apart. */
export class FactList {
  readonly facts: Fact[] = [];

  add<T extends EventType>(type: T, data: EventData<T>): this {
    const seq = this.facts.length + 1;
    const at = new Date(BEGAN + (seq - 1) * 1000).toISOString();
    this.facts.push({ v: 1, seq, parent: seq - 1, branch: "main", at, type, data } as Fact);
    return this;
  }

  start(question = QUESTION): this {
    return this.add("run_started", {
      run: RUN,
      question,
      models: { supervisor: "lab/big", subagent: "lab/small", thinking: "low" },
      limits: LIMITS_DEFAULT,
      budget: BUDGET_DEFAULT,
      prompts_sha256: "0".repeat(64),
      hypo: "0.1.0",
      pi: "1.6.0",
      rehearsal: false,
    });
  }

  spawn(agent: string, name: string): this {
    const parent = parentOf(agent);
    return this.add("agent_spawned", {
      agent,
      parent,
      call: parent === null ? null : `c-${agent}`,
      mode: "background",
      spec: sampleSpec(agent, { run: RUN, name, goal: "find out" }),
      spec_sha256: "0".repeat(64),
    }).add("agent_started", { agent, prompt: "go" });
  }

  finish(agent: string, outcome: EventData<"agent_finished">["outcome"] = "completed", reason?: string): this {
    return this.add("agent_finished", { agent, outcome, result: "done", ...(reason === undefined ? {} : { reason }) });
  }

  answer(agent: string, index: number, usd: number): this {
    const reservation = `${agent}/${index}`;
    return this.add("spend_reserved", { reservation, agent, usd: usd * 2, tokens: 4000 }).add("model_answered", {
      agent,
      index,
      reservation,
      purpose: "turn",
      messages: 1,
      stop_reason: "tool_use",
      usage: { input: 1000, output: 500, cache_read: 0, cache_write: 0, usd },
      message: {},
    });
  }

  publish(finding: Partial<Finding> & Pick<Finding, "id" | "type" | "statement">, agent = "root.1"): this {
    const created = new Date(BEGAN + this.facts.length * 1000).toISOString();
    return this.add("finding_published", {
      agent,
      call: `p-${finding.id}`,
      finding: sampleFinding(finding.id, { run: RUN, agent, created, ...finding }),
      note: `findings/${finding.id}.md`,
      note_sha256: "0".repeat(64),
    });
  }
}

/** A whole run: two levels of agents, a finding, a tested hypothesis, a question, a report. */
export function wholeRun(): FactList {
  return testedRun()
    .add("iteration_closed", {
      iteration: 1,
      by: "supervisor",
      call: "call_9",
      claim: "goal_achieved",
      reason: "tested",
      progress: progressOf(2, 1),
    })
    .add("run_stopping", { reason: "goal_achieved", detail: "the hypothesis was tested" })
    .finish("root")
    .add("report_written", { by: "supervisor", path: "report.md", sha256: "0".repeat(64), refused: 0, answered: true })
    .add("run_finished", { state: "completed", reason: "goal_achieved", detail: "the hypothesis was tested", answered: true });
}

/** The same before its end. */
export function testedRun(): FactList {
  const evidence = { source: "a".repeat(64), quote: "fewer comparisons", text_sha256: "b".repeat(64), extractor: "x", start: 0, end: 17 };
  return new FactList()
    .start()
    .spawn("root", "Supervisor")
    .answer("root", 0, 0.25)
    .spawn("root.1", "Sorter")
    .spawn("root.1.1", "Reviewer")
    .add("tool_started", { agent: "root.1", call: "w1", tool: "web_read", args: { url: "https://example.org/sorting" } })
    .add("tool_finished", { agent: "root.1", call: "w1", tool: "web_read", ok: true, text: "..." })
    .publish({ id: "f-0000000001", type: "fact", statement: "Binary insertion uses fewer comparisons.", evidence: [evidence] })
    .publish({ id: "h-0000000001", type: "hypothesis", statement: "It wins below 32 elements.", status: "hypothetical" })
    .publish({ id: "q-0000000001", type: "open_question", statement: "Where do they cross?", status: "hypothetical" })
    .add("plan_registered", {
      agent: "root.1",
      call: "r1",
      experiment: "x-0000000001",
      plan: PLAN,
      plan_sha256: "c".repeat(64),
    })
    .add("experiment_started", {
      agent: "root.1",
      call: "e1",
      experiment: "x-0000000001",
      execution: 1,
      plan_sha256: "c".repeat(64),
      code_sha256: "d".repeat(64),
      command: ["python", "main.py"],
    })
    .add("experiment_finished", {
      agent: "root.1",
      call: "e1",
      experiment: "x-0000000001",
      execution: 1,
      status: "completed",
      outcome: "met",
      exit_code: 0,
      metrics: { ratio: 0.91 },
      result_sha256: "e".repeat(64),
    })
    .add("review_recorded", { agent: "root.1.1", call: "v1", review: reviewOf() })
    .add("hypothesis_moved", { agent: "root.1.1", hypothesis: "h-0000000001", from: "testing", to: "supported", because: "review" })
    .add("question_closed", { agent: "root.1", question: "q-0000000001", by: ["x-0000000001"], answer: "Near 40." })
    .finish("root.1.1")
    .finish("root.1", "timed_out", "30 minutes");
}

/** A running tree of `amount` agents, five to a parent, every third of the leaves finished, with names of all sorts. */
export function largeRun(amount: number): FactList {
  const names = [
    "Sorter",
    "検索する者",
    "Ünïcode é́",
    "👩‍🔬 chemist",
    "باحث",
    "A name that goes on and on well beyond the width of any column there is",
  ];
  const list = new FactList().start().spawn("root", "Supervisor");
  const ids = ["root"];
  for (let at = 1; at < amount; at++) {
    const parent = ids[Math.floor((at - 1) / 5)] ?? "root";
    const id = `${parent}.${((at - 1) % 5) + 1}`;
    ids.push(id);
    list.spawn(id, names[at % names.length] ?? "agent");
    if (at * 5 + 1 >= amount && at % 3 === 0) list.finish(id);
  }
  return list;
}

function progressOf(findings: number, verdicts: number): EventData<"iteration_closed">["progress"] {
  return { findings, closed_questions: 0, contradictions: 0, verdicts };
}

function reviewOf(): EventData<"review_recorded">["review"] {
  return {
    experiment: "x-0000000001",
    execution: 1,
    reviewer: "root.1.1",
    verdict: "supported",
    outcome: "met",
    disagrees: false,
    summary: "Ran as planned.",
    limitations: ["small arrays only"],
    at: "2026-03-01T12:00:30.000Z",
  };
}
