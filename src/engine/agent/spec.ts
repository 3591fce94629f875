import type { AgentSpec } from "../../domain/agent.ts";

const SECTIONS = [
  ["Role", "role"],
  ["Goal", "goal"],
  ["Context", "context"],
  ["Responsibilities", "responsibilities"],
  ["Completion criteria", "completion_criteria"],
  ["Expected output", "expected_output"],
] as const;

/** `agents/<id>.md`: the specification as YAML frontmatter and sections. JSON values are YAML, so quoting is exact. */
export function renderSpec(spec: AgentSpec): string {
  const prose = new Set<string>(SECTIONS.map(([, key]) => key));
  const frontmatter = Object.entries(spec)
    .filter(([key]) => !prose.has(key))
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${frontmatter.join("\n")}\n---\n\n${renderSections(spec)}\n`;
}

/** The sections alone, as the agent is told them. Headings inside a section are moved below it. */
export function renderSections(spec: AgentSpec): string {
  return SECTIONS.filter(([, key]) => spec[key].trim() !== "")
    .map(([title, key]) => `# ${title}\n\n${spec[key].trim().replace(/^(#{1,4}) /gm, "##$1 ")}`)
    .join("\n\n");
}
