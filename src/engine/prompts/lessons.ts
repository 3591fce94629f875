import { describeAge } from "../../domain/age.ts";
import type { MemoryHit } from "../../domain/ports.ts";
import type { RunContext } from "../run-context.ts";
import { wrapUntrusted } from "../tools/envelope.ts";

/** Notes looked at, and what may be told of them: about 1,200 tokens of four characters. */
const MOST_NOTES = 20;
const BUDGET_CHARACTERS = 4_800;
const LONGEST_SNIPPET = 300;
/** A note that answers so much less than the best one is about something else. */
const LEAST_SHARE = 0.25;

/** What earlier runs found on a related question, most relevant first, marked with age and status. */
export async function recallLessons(run: RunContext): Promise<string> {
  const hits = await run.ports.memory.search({ text: run.log.state.question, limit: MOST_NOTES });
  const earlier = hits.filter((hit) => hit.run !== run.id);
  const lines = chooseLines(earlier, run.clock.now());
  if (lines.length === 0) return "";
  const notes = wrapUntrusted(lines.join("\n"), { memory: "notes of earlier runs" }, run.id);
  return `Earlier runs left these notes, the most relevant first; check what matters before you rely on it (read_artifact shows one in full):\n${notes}`;
}

/** Lines for the best hits that fit into the budget; hits come best first. */
export function chooseLines(hits: readonly MemoryHit[], now: Date): string[] {
  const least = LEAST_SHARE * (hits[0]?.score ?? 0);
  const lines: string[] = [];
  let used = 0;
  for (const hit of hits) {
    const line = describeHit(hit, now);
    if (hit.score < least || used + line.length > BUDGET_CHARACTERS) continue;
    used += line.length + 1;
    lines.push(line);
  }
  return lines;
}

function describeHit(hit: MemoryHit, now: Date): string {
  const facts = [hit.type, hit.status, describeAge(hit.created, now)].filter((each) => each !== undefined && each !== "");
  const snippet = hit.snippet.replace(/\s+/g, " ").slice(0, LONGEST_SNIPPET).toWellFormed();
  return `- ${hit.id} [${facts.join(", ")}] ${hit.title}: ${snippet}`;
}
