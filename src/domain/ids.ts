import { sha256 } from "./hash.ts";

/** `<yyyymmdd>-<hhmmss>-<slug>-<4 hex>`, in UTC. */
export type RunId = string;
/** `root`, `root.1`, `root.1.2`: the path from the root says who spawned whom. */
export type AgentId = string;
/** A tool call's id, unique within its agent. */
export type CallId = string;
/**
 * `f-…` finding, `h-…` hypothesis, `q-…` question, `x-…` experiment, `g-…` gate, `s-…` synthesis, `l-…` lesson,
 * `d-…` decision.
 */
export type ItemId = string;
/** SHA-256 of a source's bytes, lower-case hexadecimal. */
export type SourceId = string;

export const ROOT_AGENT: AgentId = "root";
export const MAIN_BRANCH = "main";

const RUN_ID = /^\d{8}-\d{6}-[a-z0-9-]+-[0-9a-f]{4}$/;
const EXPERIMENT_ID = /^x-[0-9a-f]{10}$/;

export function isRunId(text: string): boolean {
  return RUN_ID.test(text);
}

export function isExperimentId(text: string): boolean {
  return EXPERIMENT_ID.test(text);
}

/** A run id from the time it starts, the question and four random hexadecimal digits. */
export function makeRunId(at: Date, question: string, random: string): RunId {
  return `${stampOf(at.toISOString())}-${slugOf(question)}-${random}`;
}

/** A moment in ISO 8601 as it stands at the beginning of a run's id, to the second. */
export function stampOf(at: string): string {
  return at.replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
}

/** Up to 40 characters of `a-z0-9-` from a text in any script; `x` where nothing can be kept. */
function slugOf(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "");
  return slug === "" ? "x" : slug;
}

/**
 * The id of what a tool call makes. It depends on the call alone, so that a call executed again after a crash
 * makes the same thing and not a second one.
 *
 * @param course the course of the branch (`courseName`): a call that is made again on another one, after a fork or a
 *   rewind, makes something else
 */
export function itemIdFor(prefix: "f" | "h" | "q" | "x" | "g", run: RunId, agent: AgentId, call: CallId, course: string): ItemId {
  const where = course === MAIN_BRANCH ? "" : `${course}\n`;
  return `${prefix}-${sha256(`${where}${run}\n${agent}\n${call}`).slice(0, 10)}`;
}

/**
 * The course of a branch: what is recorded between two moves of its head. The first is named as the branch, a later
 * one `<branch>~<n>`, which can name no branch.
 *
 * @param moves how often the branch's head was put somewhere, its creation included
 */
export function courseName(branch: string, moves: number): string {
  return moves <= 1 ? branch : `${branch}~${moves}`;
}

export function childAgentId(parent: AgentId, ordinal: number): AgentId {
  return `${parent}.${ordinal}`;
}

/** True when `ancestor` is above `agent` in the tree (an agent is not its own ancestor). */
export function isAncestor(ancestor: AgentId, agent: AgentId): boolean {
  return agent.startsWith(`${ancestor}.`);
}

/** True when the two agents are the same, or one is above the other. */
export function sharesLineage(a: AgentId, b: AgentId): boolean {
  return a === b || isAncestor(a, b) || isAncestor(b, a);
}
