/**
 * Memory: what was ever found, in Markdown files that people read and edit, and an index that follows them. What only
 * some commands do is loaded when they do it: a search waits for no more than it uses.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HypoError, systemCodeOf } from "../domain/errors.ts";
import type { RelationKind } from "../domain/finding.ts";
import { sha256 } from "../domain/hash.ts";
import type { Memory } from "../domain/ports.ts";
import { storageError } from "../files/atomic.ts";
import { isThere } from "../files/is-there.ts";
import { countBroken, describeDuplicate, readFaults, type MemoryCheck } from "./check-notes.ts";
import type { NoteDraft } from "./edit-notes.ts";
import { findNote, type NotePlace } from "./find-note.ts";
import { makeLiveIndex, type Progress } from "./index/live-index.ts";
import { noteForConclusion } from "./notes/conclusion-note.ts";
import { noteForFinding } from "./notes/finding-note.ts";
import type { Note } from "./notes/note.ts";
import { isProblem, parseNote } from "./notes/parse-note.ts";
import { writeNewNote } from "./notes/write-note.ts";
import type { Witnesses } from "./rules/check-rules.ts";
import { searchIndex, type IndexQuery, type ListedNote } from "./search/search-index.ts";
import { searchNotes, type SearchResult } from "./search/search-notes.ts";

export interface MemoryOptions {
  /** The project's `.hypo` folder: notes are in its memory/, the index is its index.sqlite. */
  folder: string;
  /** Takes lines for the person at the terminal: an index built anew, an edit that was kept. */
  say: (line: string) => void;
  /** Wall clock; the system's where unset. */
  now?: (() => Date) | undefined;
}

/** A note with its file: text and SHA-256 as they are on disk. */
export interface StoredNote {
  path: string;
  text: string;
  sha256: string;
  note: Note;
}

/** The port, and what the `hypo memory` commands need beside it. */
export interface MarkdownMemory extends Memory {
  /** A search with each hit explained, and words without hits corrected. */
  find(query: IndexQuery): Promise<SearchResult>;
  /** Notes that meet the filters of a query (words rank them, as in search), newest first where there are no words. */
  list(query?: Partial<IndexQuery>): Promise<ListedNote[]>;
  /** The note with an id, or with the only id that begins so. Throws `not_found`, or `note_broken` where its file is broken. */
  get(idOrPrefix: string): Promise<StoredNote>;
  /** Writes a person's new note. `hex`: ten hexadecimal digits, at random. */
  add(draft: NoteDraft, hex: string): Promise<{ id: string; path: string }>;
  /** Relates two notes that are there; false where they were already. */
  link(from: string, kind: RelationKind, to: string): Promise<boolean>;
  /** Marks a note as outdated and names its successor; false where it was already. Throws `refused`. */
  retire(id: string, successor: string): Promise<boolean>;
  /** Broken files, duplicate ids, relations that lead nowhere, broken rules and edits of what was published. */
  check(witnesses?: Witnesses): Promise<MemoryCheck>;
  /** How many files are broken or have another note's id; `check` names them. */
  countBroken(): Promise<number>;
  /** Every note, in the order of their paths. */
  export(): AsyncIterable<StoredNote>;
  /** Indexes all notes from nothing. */
  rebuild(onProgress?: Progress): Promise<void>;
  close(): Promise<void>;
}

/** Opens memory. Nothing is read or loaded until it is first asked. Paths of notes are below memory/. */
export function openMemory({ folder, say, now = () => new Date() }: MemoryOptions): MarkdownMemory {
  const root = join(folder, "memory");
  const index = makeLiveIndex({ path: join(folder, "index.sqlite"), root, say, now });

  async function findPath(id: string): Promise<string | undefined> {
    return index.read(({ reader }) =>
      reader.prepare<[string], string>("SELECT path FROM notes WHERE id = ? AND duplicate = 0").pluck().get(id),
    );
  }

  /** Where the note with an id is: in a large memory, it may have been moved since the index last looked. */
  async function findFile(id: string): Promise<string | undefined> {
    const known = await findPath(id);
    if (known === undefined || (await isThere(join(root, known)))) return known;
    index.lookAgain();
    return findPath(id);
  }

  async function place(idOrPrefix: string): Promise<NotePlace> {
    return index.read((view) => findNote(view, idOrPrefix));
  }

  async function change(at: NotePlace, edit: (note: Note) => Note | undefined): Promise<boolean> {
    const { rewriteNote } = await import("./edit-notes.ts");
    const changed = await rewriteNote(root, at.path, edit);
    if (changed) await index.catchUp(at.path);
    return changed;
  }

  return {
    noteFor: noteForFinding,
    noteForConclusion,
    async write(note, replaces) {
      const path = (await findFile(await readId(note))) ?? note.path;
      const written = await writeNewNote(root, { path, text: note.text }, replaces);
      if (written === "kept") say(`memory/${path} was edited since it was published; the edit is kept.`);
      if (written === "written") await index.catchUp(path);
    },
    async read(id) {
      const path = await findFile(id);
      const text = path === undefined ? undefined : await readText(join(root, path));
      return path === undefined || text === undefined ? undefined : { path, text };
    },
    async search(query) {
      const { hits } = await searchNotes(root, index, query);
      return hits.map(({ explanation: _explanation, file: _file, ...hit }) => hit);
    },
    find: (query) => searchNotes(root, index, query),
    async list({ text = "", limit = Number.MAX_SAFE_INTEGER, ...rest } = {}) {
      const { notes } = await index.read((view) => searchIndex(view, { text, limit, ...rest }));
      return notes.map(({ note: _row, ...listed }) => listed);
    },
    async get(idOrPrefix) {
      const { path } = await place(idOrPrefix);
      return readStored(root, path);
    },
    async add(draft, hex) {
      const { noteForDraft } = await import("./edit-notes.ts");
      const { id, path, text } = noteForDraft(draft, hex, now());
      await writeNewNote(root, { path, text });
      await index.catchUp(path);
      return { id, path };
    },
    async link(from, kind, to) {
      const { withRelation } = await import("./edit-notes.ts");
      const target = await place(to);
      return change(await place(from), (note) => withRelation(note, kind, target.id));
    },
    async retire(id, successor) {
      const { retired } = await import("./edit-notes.ts");
      const next = await place(successor);
      return change(await place(id), (note) => retired(note, next.id));
    },
    async check(witnesses = NO_WITNESSES) {
      const { checkRules, readStates } = await import("./rules/check-rules.ts");
      const { faults, states } = await index.read((view) => ({ faults: readFaults(view), states: readStates(view) }));
      const { duplicates, ...rest } = faults;
      const described = await Promise.all(duplicates.map((duplicate) => describeDuplicate(root, duplicate)));
      return { ...rest, broken: [...rest.broken, ...described], ...(await checkRules(root, states, witnesses)) };
    },
    countBroken: () => index.read(countBroken),
    async *export() {
      const paths = await index.read(({ reader }) =>
        reader.prepare<[], string>("SELECT path FROM notes WHERE duplicate = 0 ORDER BY path").pluck().all(),
      );
      for (const path of paths) yield await readStored(root, path);
    },
    rebuild: (onProgress) => index.rebuild(onProgress),
    close: () => index.close(),
  };
}

/** Where nothing is known of runs and sources, each source of a note counts as one document. */
const NO_WITNESSES: Witnesses = {
  published: new Map(),
  countIndependent: async (evidence) => new Set(evidence.map(({ source }) => source)).size,
};

async function readStored(root: string, path: string): Promise<StoredNote> {
  const text = await readText(join(root, path));
  const note = await parseNote(text ?? "", "");
  if (text !== undefined && !isProblem(note)) return { path, text, sha256: sha256(text), note };
  throw new HypoError("note_broken", `memory/${path} was changed while it was read.`, { hint: "Try again." });
}

async function readId({ path, text }: { path: string; text: string }): Promise<string> {
  const parsed = await parseNote(text, "");
  if (!isProblem(parsed)) return parsed.id;
  throw new HypoError("note_broken", `The note for memory/${path} cannot be written: line ${parsed.line}, ${parsed.message}.`, {
    hint: "Mend the text of the note and write it again.",
  });
}

/** The text of a file; undefined where it was removed since it was looked up. */
async function readText(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw storageError(path, error);
  });
}
