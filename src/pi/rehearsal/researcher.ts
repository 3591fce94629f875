import { leadExperiment, readInsertionSort, readLiterature, reviewExperiment, findSecondSource } from "./roles.ts";
import { superviseResearch } from "./supervisor.ts";

/** What has been said in a conversation so far, in order. */
export interface Conversation {
  prompts: string[];
  results: { tool: string; ok: boolean; text: string }[];
  /** Answers the researcher has given. */
  answers: number;
}

/** One answer: text, calls, or both. */
export interface Line {
  text: string;
  calls: { name: string; args: Record<string, unknown> }[];
}

/** A part is played from its lines: the n-th answer is the n-th line. Lines may read the results before them. */
export type Part = ((conversation: Conversation) => Line)[];

const PARTS: Record<string, Part> = {
  supervisor: superviseResearch,
  Literature: readLiterature,
  "Insertion sort reader": readInsertionSort,
  "Second source": findSecondSource,
  Experimenter: leadExperiment,
  Reviewer: reviewExperiment,
};

/** The next answer of the rehearsal, from the conversation alone: the same conversation always gets the same answer. */
export function rehearse(conversation: Conversation): Line {
  const name = /^Agent: (.+) \([\w.]+\)$/m.exec(conversation.prompts[0] ?? "")?.[1] ?? "";
  const line = PARTS[name]?.[conversation.answers];
  return line ? line(conversation) : say("I have nothing to add; my part of the rehearsal is over.");
}

export function say(text: string): Line {
  return { text, calls: [] };
}

export function call(...calls: [name: string, args: Record<string, unknown>][]): Line {
  return { text: "", calls: calls.map(([name, args]) => ({ name, args })) };
}

/** Ids with a prefix in the texts given, first seen first, each once. */
export function idsIn(prefix: "f" | "h" | "x", ...texts: string[]): string[] {
  return [...new Set(texts.join("\n").match(new RegExp(`\\b${prefix}-[0-9a-f]{10}\\b`, "g")) ?? [])];
}

/** The id of the source that the n-th reading of a page gave. */
export function sourceRead({ results }: Conversation, n: number): string {
  const readings = results.filter((result) => result.tool === "web_read" && result.ok);
  return /Source ([0-9a-f]{12})\./.exec(readings[n]?.text ?? "")?.[1] ?? "none-was-read";
}

export function lastResult({ results }: Conversation, tool: string): { ok: boolean; text: string } {
  return results.findLast((result) => result.tool === tool) ?? { ok: false, text: "" };
}
