/** Memory: what was ever found, in Markdown files that people read and edit, and an index that follows them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HypoError, systemCodeOf } from "../domain/errors.ts";
import type { Memory } from "../domain/ports.ts";
import { storageError } from "../files/atomic.ts";
import { describeDuplicate, readFaults, type MemoryCheck } from "./check-notes.ts";
import { makeLiveIndex, type Progress } from "./index/live-index.ts";
import { noteForFinding } from "./notes/finding-note.ts";
import { isProblem, parseNote } from "./notes/parse-note.ts";
import { writeNewNote } from "./notes/write-note.ts";
import { searchIndex, type RankedNote } from "./search/search-index.ts";
import { searchNotes } from "./search/search-notes.ts";

export interface MemoryOptions {
  /** The project's `.hypo` folder: notes are in its memory/, the index is its index.sqlite. */
  folder: string;
  /** Takes lines for the person at the terminal: an index built anew, an edit that was kept. */
  say: (line: string) => void;
  /** Wall clock; the system's where unset. */
  now?: (() => Date) | undefined;
}

/** The port, and what the `hypo memory` commands need beside it. */
export interface MarkdownMemory extends Memory {
  /** Notes that meet the filters of a query (words rank them, as in search), newest first where there are no words. */
  list(query?: { text?: string; limit?: number }): Promise<RankedNote[]>;
  /** Broken files, duplicate ids and relations that lead nowhere. */
  check(): Promise<MemoryCheck>;
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

  return {
    noteFor: noteForFinding,
    async write(note) {
      const path = (await findPath(await readId(note))) ?? note.path;
      const written = await writeNewNote(root, { path, text: note.text });
      if (written === "kept") say(`memory/${path} was edited since it was published; the edit is kept.`);
      if (written === "written") await index.catchUp();
    },
    async read(id) {
      const path = await findPath(id);
      const text = path === undefined ? undefined : await readText(join(root, path));
      return path === undefined || text === undefined ? undefined : { path, text };
    },
    search: (query) => searchNotes(root, index, query),
    async list({ text = "", limit = Number.MAX_SAFE_INTEGER } = {}) {
      const { notes } = await index.read((view) => searchIndex(view, { text, limit }));
      return notes;
    },
    async check() {
      const { duplicates, ...faults } = await index.read(readFaults);
      const described = await Promise.all(duplicates.map((duplicate) => describeDuplicate(root, duplicate)));
      return { ...faults, broken: [...faults.broken, ...described] };
    },
    rebuild: (onProgress) => index.rebuild(onProgress),
    close: () => index.close(),
  };
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
