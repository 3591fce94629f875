import type { Note } from "./note.ts";
import { writeEntry } from "./yaml-lines.ts";

/** The keys of the frontmatter that hypo knows, in the order in which they are written. */
export const KNOWN_KEYS = [
  "id",
  "type",
  "status",
  "created_by",
  "run_id",
  "created",
  "language",
  "negative_result",
  "sources",
  "evidence",
  "counterevidence",
  "experiments",
  "related",
  "superseded_by",
] as const;

/** The whole file: frontmatter with keys in a fixed order, unknown keys after them, title, sections. */
export function serialiseNote(note: Note): string {
  const known = KNOWN_KEYS.filter((key) => note[key] !== "").map((key) => writeEntry(key, note[key]));
  const unknown = Object.entries(note.extra).map(([key, value]) => writeEntry(key, value));
  const blocks = [`# ${note.title}`, note.preamble, ...note.sections.map(({ heading, body }) => joinBlocks([`## ${heading}`, body]))];
  return `---\n${[...known, ...unknown].join("")}---\n\n${joinBlocks(blocks)}\n`;
}

function joinBlocks(blocks: string[]): string {
  return blocks.filter((block) => block !== "").join("\n\n");
}
