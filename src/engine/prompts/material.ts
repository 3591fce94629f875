import type { RunState } from "../state/run-state.ts";
import { wrapUntrusted } from "../tools/envelope.ts";

const MOST_SHOWN = 100;
const LONGEST_TITLE = 160;

/** The sources that the person gave the run, by id and title, for prompts; empty where there are none. */
export function describeMaterial(state: RunState): string {
  const { material, sources, run } = state;
  if (material.length === 0) return "";
  const lines = material.slice(0, MOST_SHOWN).map((id) => {
    const { title, url } = sources.get(id) ?? { title: undefined, url: "" };
    const name = (title ?? url).replace(/\s+/g, " ");
    return `- ${id.slice(0, 12)} ${Array.from(name).slice(0, LONGEST_TITLE).join("")}`;
  });
  const left = material.length - lines.length;
  if (left > 0) lines.push(`- (${left} more are left out)`);
  return `The person gave this material. read_artifact shows the text of each by its id, and it is quoted like every source:\n${wrapUntrusted(lines.join("\n"), { material: "given by the person" }, run)}`;
}
