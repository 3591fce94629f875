import type { Note } from "./note.ts";

/** What search reads of a note: its prose and quotes, without frontmatter and the lines that say where quotes stand. */
export function searchableText(note: Pick<Note, "preamble" | "sections">): string {
  const bodies = [note.preamble, ...note.sections.map(({ body }) => body)];
  return bodies
    .join("\n\n")
    .replace(/^Source `[^`\n]*`, characters \d+ to \d+:$/gm, "")
    .replace(/^[ \t]*>[ \t]?/gm, "")
    .trim();
}
