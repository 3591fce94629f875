import type { Conclusion } from "../domain/conclusion.ts";
import type { Fact } from "../domain/events.ts";
import { sha256 } from "../domain/hash.ts";
import { isAncestor, ROOT_AGENT } from "../domain/ids.ts";
import { ReportDraft } from "../domain/report-draft.ts";
import type { RunContext } from "./run-context.ts";
import { event } from "./run-log.ts";
import type { AgentState, RunState } from "./state/run-state.ts";

/** Agents and failed places named in one lesson. */
const MOST_LINES = 40;
const LONGEST_LINE = 240;

/** What a lesson and a synthesis need that the run's state does not keep. */
interface Traces {
  /** The draft that became the report. */
  draft: ReportDraft | undefined;
  /** Calls to the outside that failed, by place and error. */
  failures: Map<string, number>;
  /** When the run came to its end: the first time, and the last, which is another where it was reopened. */
  firstEnd: string;
  endedAt: string;
  /** Hashes of the notes that were kept of each conclusion so far, oldest first. */
  kept: Map<string, string[]>;
}

/**
 * Keeps what a run came to for later runs: the answer of its report as a synthesis, and what its work taught as a
 * lesson. Both are made from the journal alone, so that saving them again changes nothing. A run that was reopened has
 * one of each as before: its notes are written anew, unless a person has edited them.
 */
export async function saveConclusions({ log, branch, ports }: RunContext): Promise<void> {
  const traces = await gatherTraces(log.ancestry());
  for (const conclusion of conclusionsOf(log.state, branch, traces)) {
    const note = ports.memory.noteForConclusion(conclusion);
    const hash = sha256(note.text);
    const before = traces.kept.get(conclusion.id) ?? [];
    if (before.at(-1) !== hash) await log.record(event("conclusion_kept", { id: conclusion.id, note: note.path, note_sha256: hash }));
    await ports.memory.write(note, before);
  }
}

async function gatherTraces(facts: AsyncIterable<Fact>): Promise<Traces> {
  const traces: Traces = { draft: undefined, failures: new Map(), firstEnd: "", endedAt: "", kept: new Map() };
  const args = new Map<string, unknown>();
  for await (const { type, data, at } of facts) {
    if (type === "run_stopping") {
      traces.firstEnd ||= at;
      traces.endedAt = at;
    }
    if (type === "conclusion_kept") traces.kept.set(data.id, [...(traces.kept.get(data.id) ?? []), data.note_sha256]);
    if (type === "tool_started") args.set(`${data.agent} ${data.call}`, data.args);
    if (type !== "tool_finished") continue;
    const given = args.get(`${data.agent} ${data.call}`);
    args.delete(`${data.agent} ${data.call}`);
    if (data.tool === "write_report" && data.ok) traces.draft = ReportDraft.safeParse(given).data ?? traces.draft;
    const place = data.ok ? undefined : placeOf(data.tool, given);
    if (place === undefined) continue;
    const failure = `${place}: ${data.text.split(/[:\n]/)[0]?.slice(0, 80) ?? ""}`;
    traces.failures.set(failure, (traces.failures.get(failure) ?? 0) + 1);
  }
  return traces;
}

/** Where a call went: a host, or the search; undefined for tools that ask nothing of the outside. */
function placeOf(tool: string, args: unknown): string | undefined {
  if (tool === "web_search") return "web_search";
  if (!["web_read", "web_crawl", "web_browse", "download_source"].includes(tool)) return undefined;
  const url = typeof args === "object" && args !== null && "url" in args ? String(args.url) : "";
  return URL.canParse(url) ? new URL(url).hostname : "an address that is none";
}

function conclusionsOf(state: RunState, branch: string, traces: Traces): Conclusion[] {
  const created = traces.endedAt || state.startedAt;
  // With its date: a run that was put back before its end comes to another one, and what it came to first stays.
  const key = [state.run, branch, traces.firstEnd || created].join("\n");
  const base = { run: state.run, agent: ROOT_AGENT, created };
  const synthesis = traces.draft && synthesisOf(state, traces.draft, { ...base, id: `s-${sha256(`${key}\nsynthesis`).slice(0, 10)}` });
  const lesson = lessonOf(state, traces, { ...base, id: `l-${sha256(`${key}\nlesson`).slice(0, 10)}` });
  return [synthesis, lesson].filter((each) => each !== undefined);
}

type Base = Pick<Conclusion, "id" | "run" | "agent" | "created">;

function synthesisOf(state: RunState, draft: ReportDraft, base: Base): Conclusion {
  return {
    ...base,
    kind: "synthesis",
    status: draft.confidence === "none" ? "hypothetical" : "inferred",
    title: cut(state.question, 200),
    statement: draft.answer,
    evidence: draft.answer_supports.map((id) => `${id}: ${titleOf(state, id)}`),
    limitations: [...draft.limitations, `What would change it: ${draft.would_change}`],
    confidence: draft.confidence,
  };
}

function titleOf(state: RunState, id: string): string {
  return state.findings.get(id)?.finding.title ?? state.experiments.get(id)?.plan.title ?? "a source";
}

/** Undefined where nobody but the supervisor worked and nothing failed: that teaches nothing. */
function lessonOf(state: RunState, { failures }: Traces, base: Base): Conclusion | undefined {
  const children = [...state.agents.values()].filter(({ parent }) => parent !== null);
  if (children.length === 0 && failures.size === 0) return undefined;
  const counted = children.map((agent) => ({ agent, found: countFindings(state, agent) }));
  const fruitful = counted.filter(({ found }) => found > 0).toSorted((a, b) => b.found - a.found);
  const failed = [...failures].toSorted((a, b) => b[1] - a[1]);
  return {
    ...base,
    kind: "lesson",
    status: "observed",
    title: cut(`How the work went on: ${state.question}`, 200),
    statement: `${fruitful.length} of ${children.length} agents brought findings; ${failed.length} places could not be used.`,
    evidence: [
      ...fruitful.map(({ agent, found }) => `Brought ${found}: ${describeTask(agent)}`),
      ...counted.filter(({ found }) => found === 0).map(({ agent }) => `Brought nothing (${whyNothing(agent)}): ${describeTask(agent)}`),
    ].slice(0, MOST_LINES),
    limitations: failed.map(([failure, times]) => `Failed ${times} times: ${failure}`).slice(0, MOST_LINES),
    confidence: undefined,
  };
}

/** Findings of an agent and all below it. */
function countFindings(state: RunState, { id }: AgentState): number {
  return [...state.findings.values()].filter(({ finding }) => finding.agent === id || isAncestor(id, finding.agent)).length;
}

function describeTask({ spec }: AgentState): string {
  return cut(`${spec.name}: ${spec.goal}`, LONGEST_LINE);
}

function whyNothing({ status, reason }: AgentState): string {
  return cut(reason === undefined ? status : `${status}, ${reason}`, 100);
}

function cut(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
}
