/** What people change in memory by command: new notes, relations between notes, notes whose time is over. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HypoError } from "../domain/errors.ts";
import type { RelationKind } from "../domain/finding.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { cleanLine, cleanText } from "./notes/markdown-safe.ts";
import { notePath } from "./notes/note-path.ts";
import { emptyNote, type Folder, type Note } from "./notes/note.ts";
import { isProblem, parseNote } from "./notes/parse-note.ts";
import { serialiseNote } from "./notes/serialise-note.ts";
import { refuseLinks } from "./notes/write-note.ts";
import { allowedMoves, isAllowedMove } from "./rules/status-moves.ts";

/** Types of notes that a person may add: what needs evidence is published by a run. */
const OWN_TYPES = {
  decision: { folder: "decisions", prefix: "d", status: "observed" },
  lesson: { folder: "lessons", prefix: "l", status: "observed" },
  synthesis: { folder: "syntheses", prefix: "s", status: "inferred" },
  inference: { folder: "findings", prefix: "f", status: "inferred" },
  hypothesis: { folder: "hypotheses", prefix: "h", status: "hypothetical" },
  open_question: { folder: "questions", prefix: "q", status: "hypothetical" },
} as const satisfies Record<string, { folder: Folder; prefix: string; status: string }>;

export type OwnType = keyof typeof OWN_TYPES;

export interface NoteDraft {
  type: OwnType;
  title: string;
  /** Markdown; becomes the section Statement. */
  statement: string;
}

/** The note of a person's draft. `hex` are ten hexadecimal digits that no other note has. Pure. */
export function noteForDraft(draft: NoteDraft, hex: string, created: Date): { id: string; path: string; text: string } {
  const { folder, prefix, status } = OWN_TYPES[draft.type];
  const title = cleanLine(draft.title);
  if (!/[\p{L}\p{N}]/u.test(title)) throw new HypoError("usage", "A note needs a title with a letter or digit in it.");
  const id = `${prefix}-${hex}`;
  const note: Note = {
    ...emptyNote(),
    id,
    type: draft.type,
    status,
    title,
    created_by: "person",
    created: created.toISOString(),
    sections: [{ heading: "Statement", body: cleanText(draft.statement) || title }],
  };
  return { id, path: notePath(folder, title, id), text: serialiseNote(note) };
}

/** The note with one relation more; undefined where it has it already. Pure. */
export function withRelation(note: Note, kind: RelationKind, to: string): Note | undefined {
  if (note.id === to) throw new HypoError("refused", `${to} cannot be related to itself.`);
  if (note.related.some((each) => each.kind === kind && each.to === to)) return undefined;
  return { ...note, related: [...note.related, { kind, to }] };
}

/** The note as outdated, naming what took its place; undefined where it does already. Pure. */
export function retired(note: Note, successor: string): Note | undefined {
  if (note.id === successor) throw new HypoError("refused", `${successor} cannot take its own place.`);
  if (note.status === "outdated" && note.superseded_by === successor) return undefined;
  if (!isAllowedMove(note.status, "outdated")) {
    throw new HypoError("refused", `${note.id} is ${note.status} and cannot become outdated.`, {
      hint: `It can become ${allowedMoves(note.status).join(", ")}.`,
    });
  }
  return { ...note, status: "outdated", superseded_by: successor };
}

/**
 * Writes a changed note over its file. Keys and sections that hypo does not know are kept.
 *
 * @param change gives the new note, or undefined where nothing is to be changed
 */
export async function rewriteNote(root: string, path: string, change: (note: Note) => Note | undefined): Promise<boolean> {
  const file = join(root, path);
  await refuseLinks(root, dirname(file), path);
  const text = await readFile(file, "utf8");
  const note = await parseNote(text, "");
  if (isProblem(note)) {
    throw new HypoError("note_broken", `memory/${path}, line ${note.line}: ${note.message}.`, { hint: "Mend the note and try again." });
  }
  const changed = change(note);
  if (changed === undefined) return false;
  await writeFileAtomic(file, serialiseNote(changed));
  return true;
}
