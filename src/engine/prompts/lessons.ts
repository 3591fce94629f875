import type { RunContext } from "../run-context.ts";

const MOST_NOTES = 8;

/** What earlier runs found on a related question, most relevant first, marked with age and status. */
export async function recallLessons(run: RunContext): Promise<string> {
  const hits = await run.ports.memory.search({ text: run.log.state.question, limit: MOST_NOTES });
  const earlier = hits.filter((hit) => hit.run !== run.id);
  if (earlier.length === 0) return "";
  const lines = earlier.map(
    (hit) =>
      `- ${hit.id} [${hit.type}, ${hit.status}, ${hit.created.slice(0, 10)}] ${hit.title}: ${hit.snippet.replace(/\s+/g, " ").slice(0, 200)}`,
  );
  return `Earlier runs left these notes; check what matters before you rely on it:\n${lines.join("\n")}`;
}
