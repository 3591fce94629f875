import { z } from "zod";
import { isAncestor, type AgentId } from "../../domain/ids.ts";
import type { MemoryHit } from "../../domain/ports.ts";
import type { RunState } from "../state/run-state.ts";
import { wrapUntrusted } from "./envelope.ts";
import { defineTool, say } from "./tool.ts";

/** Characters shown of all hits together, and of a snippet. */
const SHOWN_CHARACTERS = 8_000;
const LONGEST_TITLE = 200;
const LONGEST_SNIPPET = 400;
const MOST_RELATIONS = 5;

export const searchMemory = defineTool({
  name: "search_memory",
  description:
    'Searches what this and earlier runs found: findings, hypotheses, questions, syntheses, lessons. Words, "phrases", -excluded, prefix*, and filters type: status: run: source: before: after: related:',
  input: z.strictObject({ query: z.string().min(1).max(500), limit: z.int().min(1).max(20).default(8) }),
  class: "rerunnable",
  async run({ query, limit }, { run, agent }) {
    const hits = await run.ports.memory.search({ text: query, limit, hide: hiddenFrom(agent, run.log.state) });
    if (hits.length === 0) return say("Memory holds nothing on this. Search the web or the project.");
    const lines = fitLines(hits.map((hit) => describeHit(hit, run.id)));
    const rest = hits.length - lines.length;
    const more = rest === 0 ? "" : ` ${rest} more are not shown; ask more narrowly.`;
    return say(`${wrapUntrusted(lines.join("\n"), { memory: query }, run.id)}\nread_artifact shows a note in full.${more}`);
  },
});

function describeHit(hit: MemoryHit, run: string): string {
  const from = hit.run === run || hit.run === "" ? "" : ` (run ${hit.run})`;
  const related = hit.related.slice(0, MOST_RELATIONS).map(({ kind, to }) => `${kind} ${to}`);
  const relations = related.length === 0 ? "" : `\n  ${related.join(", ")}`;
  const head = `${hit.id} [${hit.type}, ${hit.status}] ${oneLine(hit.title, LONGEST_TITLE)}${from}`;
  return `${head}\n  ${oneLine(hit.snippet, LONGEST_SNIPPET)}${relations}`;
}

/** The first lines that fit; the best hits come first. */
function fitLines(lines: string[]): string[] {
  let used = 0;
  return lines.filter((line) => (used += line.length + 1) <= SHOWN_CHARACTERS);
}

function oneLine(text: string, length: number): string {
  return text.replace(/\s+/g, " ").slice(0, length).toWellFormed();
}

/** A replication, and all below it, must not see what the replicated agents published. */
export function hiddenFrom(agent: AgentId, state: RunState): { run: string; agents: AgentId[] } | undefined {
  const hidden: AgentId[] = [];
  for (let id: AgentId | null = agent; id !== null; id = state.agents.get(id)?.parent ?? null) {
    const original = state.agents.get(id)?.spec.replication_of;
    if (original) hidden.push(original, ...[...state.agents.keys()].filter((each) => isAncestor(original, each)));
  }
  return hidden.length === 0 ? undefined : { run: state.run, agents: hidden };
}
