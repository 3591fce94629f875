import { agentScript, call, say, together, type Turn } from "../../support/scenario.ts";
import type { Respond, ScriptedAnswer } from "../../support/scripted/answer.ts";

export const QUESTION = "Does binary insertion sort make fewer comparisons than merge sort?";

/** The program of an experiment whose criteria come out as met. */
export const PROGRAM = `import json
json.dump({"ratio": 0.5, "sizes": 3}, open("/out/metrics.json", "w"))
`;

/**
 * A whole small run: a reader in the background with a reader of its own below it, an experimenter, a reviewer from
 * another lineage, a question that gets closed, a misquote, an interim report, and a report. Without a container
 * engine the experiment ends as docker_unavailable and the review is refused.
 *
 * @param site origin of the fixture website
 * @param program what the experiment runs
 */
export function smallRun(site: string, program = PROGRAM): Respond {
  const roles: Record<string, (turn: Turn) => ScriptedAnswer> = {
    supervisor: supervise,
    Reader: (turn) => readMergeSort(turn, site),
    "Second reader": (turn) => readInsertionSort(turn, site),
    Experimenter: (turn) => experiment(turn, program),
    Reviewer: review,
  };
  return agentScript((turn) => roles[turn.agent.name]?.(turn) ?? say("I have no role."));
}

function supervise(turn: Turn): ScriptedAnswer {
  const question = idIn("q", turn.lastResult("publish_finding"));
  switch (turn.answers) {
    case 0:
      return call("publish_finding", {
        type: "open_question",
        title: "Which makes fewer?",
        statement: "Which of the two makes fewer comparisons?",
      });
    case 1:
      return together(
        call("spawn_agent", { name: "Reader", goal: "Read what is written on merge sort and its comparisons.", background: true }),
        call("spawn_agent", { name: "Experimenter", goal: "Count the comparisons of both methods in an experiment." }),
      );
    case 2:
      return call("agent_control", { action: "wait" });
    case 3: {
      const experiment = idIn("x", turn.lastResult("agent_control"));
      return call("spawn_agent", { name: "Reviewer", goal: `Review the experiment ${experiment} independently.` });
    }
    case 4:
      return call("research_control", {
        action: "finish",
        reason: "The question is answered.",
        closed_questions: [{ question, answer: "They differ little.", by: idsIn("f", turn.lastResult("agent_control")) }],
      });
    case 5:
      return call("write_report", draft(idsIn("f", turn.lastResult("agent_control"))));
    default:
      return say("Nothing more.");
  }
}

function draft(findings: string[]): Record<string, unknown> {
  return {
    answer: "Both methods need about as many comparisons.",
    answer_supports: findings,
    confidence: "moderate",
    would_change: "Counts on longer arrays.",
    sections: [
      { title: "What is written", claims: findings.map((id, place) => ({ text: `Claim ${place + 1} of the report.`, supports: [id] })) },
    ],
    limitations: ["Two texts only."],
  };
}

function readMergeSort(turn: Turn, site: string): ScriptedAnswer {
  const source = sourceIn(turn.lastResult("web_read"));
  const fact = (quote: string): ScriptedAnswer =>
    call("publish_finding", {
      type: "fact",
      title: "Merging is cheap",
      statement: "Merging two sorted halves of together n elements takes at most n - 1 comparisons.",
      evidence: [{ source, quote }],
    });
  switch (turn.answers) {
    case 0:
      return call("web_read", { url: `${site}/merge-sort.html` });
    case 1:
      return call("spawn_agent", { name: "Second reader", goal: "Find out what insertion sort moves on its way.", may_spawn: false });
    case 2:
      return fact("Merging two sorted halves takes no comparisons whatsoever");
    case 3:
      return fact("Merging two sorted halves of together n elements takes at most n − 1 comparisons");
    case 4:
      return call("agent_control", { action: "report_parent", message: "Merging is understood." });
    default:
      return say(`Read and published: ${idsIn("f", turn.results("publish_finding").join(" ")).join(", ")}`);
  }
}

function readInsertionSort(turn: Turn, site: string): ScriptedAnswer {
  switch (turn.answers) {
    case 0:
      return call("web_read", { url: `${site}/insertion-sort.html` });
    case 1:
      return call("publish_finding", {
        type: "fact",
        title: "Binary insertion moves much",
        statement: "Binary insertion sort moves a quadratic number of elements.",
        evidence: [
          { source: sourceIn(turn.lastResult("web_read")), quote: "binary insertion sort still moves a quadratic number of elements" },
        ],
      });
    default:
      return say("Binary insertion still moves a lot.");
  }
}

function experiment(turn: Turn, program: string): ScriptedAnswer {
  const id = idIn("x", turn.lastResult("register_experiment"));
  switch (turn.answers) {
    case 0:
      return call("publish_finding", {
        type: "hypothesis",
        title: "Fewer comparisons",
        statement: "Binary insertion makes fewer comparisons.",
      });
    case 1:
      return call("register_experiment", {
        hypothesis: idIn("h", turn.lastResult("publish_finding")),
        title: "Count comparisons",
        method: "Count the comparisons of both methods on the same arrays.",
        metrics: [
          { name: "ratio", type: "double" },
          { name: "sizes", type: "int" },
        ],
        success_criterion: "metrics.ratio < 1.0",
        refutation_criterion: "metrics.ratio >= 1.0",
        limits: { seconds: 60, memory_mb: 128 },
      });
    case 2:
      return call("run_experiment", {
        experiment: id,
        files: [{ path: "main.py", content: program }],
        command: ["python3", "/work/main.py"],
      });
    default:
      return say(`The experiment ${id} is done.`);
  }
}

function review(turn: Turn): ScriptedAnswer {
  if (turn.answers > 0) return say("Reviewed.");
  const summary = "Both methods were counted on the same arrays, and the criteria hold.";
  return call("review_experiment", { experiment: idIn("x", turn.goal), verdict: "supported", summary });
}

function idIn(kind: string, text: string | undefined): string {
  return idsIn(kind, text)[0] ?? `${kind}-0000000000`;
}

/** Ids of a kind in a text, each once. */
export function idsIn(kind: string, text = ""): string[] {
  return [...new Set(text.match(new RegExp(`\\b${kind}-[0-9a-f]{10}\\b`, "g")))];
}

/** The source that web_read has shown. */
export function sourceIn(text = ""): string {
  return /^Source ([0-9a-f]{12})/.exec(text)?.[1] ?? "000000000000";
}
