import type { FixtureSite } from "../../support/fixture-site.ts";
import { call, say, together, type Turn } from "../../support/scenario.ts";
import type { ScriptedAnswer } from "../../support/scripted/answer.ts";

/** Words of the website that quotes are taken from. */
export const MERGE_QUOTE = "Merging two sorted halves of together n elements takes at most n − 1 comparisons.";
export const TIMSORT_QUOTE = "Timsort sorts runs shorter than a minimum length with binary insertion sort before it merges them.";

/** True where the engine asks the supervisor for its report. */
export function isAskedForReport(turn: Turn): boolean {
  return turn.lastUser.includes("Write the report now");
}

/** Finding ids in a text, each once. */
export function findingsIn(text: string): string[] {
  return [...new Set(text.match(/\bf-[0-9a-f]{10}\b/g) ?? [])];
}

/** The id of the source that the latest reading of a page gave. */
export function sourceRead(turn: Turn): string {
  return /Source ([0-9a-f]{12})\./.exec(turn.lastResult("web_read") ?? "")?.[1] ?? "no-source";
}

export function spawn(name: string, goal: string, more: Record<string, unknown> = {}): ScriptedAnswer {
  return call("spawn_agent", { name, goal, ...more });
}

export function read(site: FixtureSite, page: string): ScriptedAnswer {
  return call("web_read", { url: `${site.origin}/${page}` });
}

export function publishFact(turn: Turn, statement: string, quote: string): ScriptedAnswer {
  const evidence = [{ source: sourceRead(turn), quote }];
  return call("publish_finding", { type: "fact", title: statement.slice(0, 60), statement, evidence });
}

/** Hands in a report whose only claim rests on everything that was published. */
export function reportFindings(turn: Turn): ScriptedAnswer {
  const supports = findingsIn(turn.lastUser);
  return call("write_report", {
    answer: "Merging takes at most n - 1 comparisons, so merge sort needs about n log n of them.",
    answer_supports: supports,
    confidence: "low",
    would_change: "A source that counts differently.",
    sections: [{ title: "What the sources say", claims: [{ text: "Merging is linear in comparisons.", supports }] }],
    limitations: ["One website."],
  });
}

/** The shortest way of a supervisor to an answered run: one page, one finding, finish, report. */
export function answerAlone(turn: Turn, site: FixtureSite): ScriptedAnswer {
  if (isAskedForReport(turn)) return turn.has("write_report") ? say("That is all.") : reportFindings(turn);
  if (!turn.has("web_read")) return read(site, "merge-sort.html");
  if (!turn.has("publish_finding")) return publishFact(turn, "Merging two sorted halves takes at most n - 1 comparisons.", MERGE_QUOTE);
  return call("research_control", {
    action: "finish",
    reason: `Answered by ${findingsIn(turn.lastResult("publish_finding") ?? "").join(", ")}.`,
  });
}

/** The same, after some spawns of the first answer have been made and waited for. */
export function answerAfter(turn: Turn, site: FixtureSite, ...spawns: ScriptedAnswer[]): ScriptedAnswer {
  if (turn.answers === 0) return together(...spawns);
  if (turn.answers === 1) return call("agent_control", { action: "wait" });
  return answerAlone(turn, site);
}
