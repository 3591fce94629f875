import { agentScript, call, say, together, type Turn } from "../../support/scenario.ts";
import type { Respond, ScriptedAnswer } from "../../support/scripted/answer.ts";
import { idsIn, PROGRAM, sourceIn } from "./small-run.ts";

const LEADS = 4;
const PAGES = [
  { page: "merge-sort.html", quote: "Merging two sorted halves of together n elements takes at most n − 1 comparisons" },
  { page: "insertion-sort.html", quote: "binary insertion sort still moves a quadratic number of elements" },
  { page: "measurements.html", quote: "The two algorithms differ by less than one percent at every length up to 32" },
] as const;

/**
 * A run of 30 agents, three levels deep: 4 leads, each with 2 groups, each with 2 readers, in the background and in
 * the foreground; one of the leads has a hypothesis tested, and an agent of another lineage reviews the test.
 *
 * @param delayMs how long the model thinks about each answer
 */
export function wideRun(site: string, delayMs: number): Respond {
  return agentScript((turn) => ({ delayMs, ...decide(turn, site) }));
}

function decide(turn: Turn, site: string): ScriptedAnswer {
  const [role = "", ...place] = turn.agent.name.split(" ");
  if (role === "supervisor") return supervise(turn);
  if (role === "Lead") return lead(turn, place.join(" "));
  if (role === "Group") return group(turn, place.join(" "));
  if (role === "Reader") return read(turn, place.join(" "), site);
  return review(turn);
}

function supervise(turn: Turn): ScriptedAnswer {
  const results = turn.lastResult("agent_control");
  switch (turn.answers) {
    case 0:
      return together(...Array.from({ length: LEADS }, (_, n) => spawn("Lead", `${n + 1}`, n < LEADS - 1)));
    case 1:
      return call("agent_control", { action: "wait", seconds: 3600 });
    case 2:
      return call("spawn_agent", { name: "Reviewer", goal: `Review the experiment ${idsIn("x", results)[0] ?? "x-0000000000"}.` });
    case 3:
      return call("research_control", { action: "finish", reason: "All groups have read." });
    case 4: {
      const supports = idsIn("f", results).toSorted().slice(0, 10);
      const claims = supports.map((id) => ({ text: "A claim.", supports: [id] }));
      return call("write_report", {
        answer: "They differ little.",
        answer_supports: supports,
        confidence: "low",
        would_change: "More texts.",
        sections: [{ title: "Read", claims }],
      });
    }
    default:
      return say("Nothing more.");
  }
}

/** Two groups beside each other, then a conclusion; the first lead has a test made as well. */
function lead(turn: Turn, place: string): ScriptedAnswer {
  const test = place === "1" ? testPlan(turn) : [];
  const steps = [
    together(spawn("Group", `${place} 1`, true), spawn("Group", `${place} 2`, true)),
    call("agent_control", { action: "wait", seconds: 3600 }),
    call("publish_finding", { type: "inference", title: `Lead ${place}`, statement: `The groups of lead ${place} agree with each other.` }),
    ...test,
  ];
  return steps[turn.answers] ?? say(`Lead ${place} is done: ${idsIn("x", turn.lastResult("register_experiment")).join("")}`);
}

function testPlan(turn: Turn): ScriptedAnswer[] {
  const hypothesis = idsIn("h", turn.results("publish_finding").join(" "))[0] ?? "h-0000000000";
  const experiment = idsIn("x", turn.lastResult("register_experiment"))[0] ?? "x-0000000000";
  return [
    call("publish_finding", { type: "hypothesis", title: "Ratio", statement: "The ratio of both counts is below one." }),
    call("register_experiment", {
      hypothesis,
      title: "Ratio",
      method: "Count both.",
      metrics: [
        { name: "ratio", type: "double" },
        { name: "sizes", type: "int" },
      ],
      success_criterion: "metrics.ratio < 1.0",
      refutation_criterion: "metrics.ratio >= 1.0",
      limits: { seconds: 60, memory_mb: 128 },
    }),
    call("run_experiment", { experiment, files: [{ path: "main.py", content: PROGRAM }], command: ["python3", "/work/main.py"] }),
  ];
}

/** One reader beside the group, one that it waits for; the first reports on its way. */
function group(turn: Turn, place: string): ScriptedAnswer {
  const steps = [
    call("spawn_agent", reader(`${place} 1`, true)),
    call("spawn_agent", reader(`${place} 2`, false)),
    call("agent_control", { action: "report_parent", message: `Group ${place} has read half.` }),
    call("agent_control", { action: "wait", seconds: 3600 }),
  ];
  return steps[turn.answers] ?? say(`Group ${place} is done.`);
}

function read(turn: Turn, place: string, site: string): ScriptedAnswer {
  const { page, quote } = PAGES[Number(place.replaceAll(" ", "")) % PAGES.length] ?? PAGES[0];
  const source = sourceIn(turn.lastResult("web_read"));
  const statement = `Reader ${place} has found this in ${page}.`;
  const steps = [
    call("web_read", { url: `${site}/${page}` }),
    call("publish_finding", { type: "fact", title: `Reader ${place}`, statement, evidence: [{ source, quote }] }),
  ];
  return steps[turn.answers] ?? say(`Reader ${place} is done.`);
}

function review(turn: Turn): ScriptedAnswer {
  if (turn.answers > 0) return say("Reviewed.");
  const experiment = idsIn("x", turn.goal)[0] ?? "x-0000000000";
  return call("review_experiment", { experiment, verdict: "supported", summary: "Counted as planned; the criteria hold." });
}

function spawn(role: string, place: string, background: boolean): ScriptedAnswer {
  return call("spawn_agent", { name: `${role} ${place}`, goal: goalOf(role, place), background });
}

function reader(place: string, background: boolean): Record<string, unknown> {
  return { name: `Reader ${place}`, goal: goalOf("Reader", place), may_spawn: false, background };
}

/** Goals that are no duplicates of each other: each has a subject of its own. */
function goalOf(role: string, place: string): string {
  const subject = place
    .split(" ")
    .map((digit, at) => SUBJECTS[at]?.[Number(digit) - 1] ?? digit)
    .join(" ");
  return `${role}: find out about ${subject}.`;
}

const SUBJECTS = [
  ["comparisons", "memory", "stability", "history"],
  ["insertion", "merging"],
  ["averages", "extremes"],
];
