import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { sha256 } from "../../domain/hash.ts";
import { FOLDERS, isFolder, type Note, type NoteProblem } from "../notes/note.ts";
import { isProblem, parseNote } from "../notes/parse-note.ts";
import { decodeNote, readNoteBytes } from "../notes/read-note-file.ts";
import type { LanguageTable } from "../text/languages.ts";
import type { FollowOptions } from "./follow-files.ts";
import { keepDigest, needsReading, readKnown, type KnownFile } from "./known-files.ts";
import type { FoundFile, Listing } from "./listing.ts";
import { openNoteRows } from "./note-rows.ts";
import { prepareOnce } from "./statements.ts";

/** A file changed within this time of being read may change again without its times telling. */
const SETTLING_MS = 2000;
/** Files indexed between two breaths of the event loop. */
const STEP = 32;

/** Makes the index hold the files found, inside a transaction. */
export async function applyChanges(found: Listing, languages: LanguageTable, options: FollowOptions): Promise<void> {
  const { openWriter, root, now, only } = options;
  const writer = openWriter();
  const forget = prepareOnce(writer, "DELETE FROM files WHERE path = ?");
  const restamp = prepareOnce(writer, "UPDATE files SET stamp = ?, changed = ?, fresh = ? WHERE path = ?");
  const remember = prepareOnce(
    writer,
    "INSERT OR REPLACE INTO files (path, stamp, changed, sha256, fresh, line, problem) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  // Read again under the lock: another process may have indexed the same changes meanwhile.
  const known = readKnown(writer, only);
  const present = [...found.files()];
  const gone = pathsGone(present, known);
  const changed = present.filter((file) => needsReading(file, known.get(file.path)));
  const rows = openNoteRows(writer, languages, gone.length + changed.length);
  for (const path of gone) {
    rows.remove(path);
    forget.run(path);
  }
  let unsettled = 0;
  for (const [index, file] of changed.entries()) {
    if (index % STEP === 0) {
      options.onProgress?.(index, changed.length);
      await setImmediate();
    }
    const fresh = isFresh(file, now()) ? 1 : 0;
    unsettled += fresh;
    const read = await readNoteFile(root, file, known.get(file.path));
    if (read.content === "same") {
      restamp.run(file.stamp, file.changed, fresh, file.path);
      continue;
    }
    if (known.has(file.path)) rows.remove(file.path);
    const problem = isProblem(read.content) ? read.content : undefined;
    if (!isProblem(read.content)) rows.add(file.path, read.content);
    remember.run(file.path, file.stamp, file.changed, read.sha256, fresh, problem?.line ?? null, problem?.message ?? null);
  }
  rows.settle();
  keepDigest(writer, only === undefined && unsettled === 0 ? found.digest() : undefined);
  options.onProgress?.(changed.length, changed.length);
}

function pathsGone(present: FoundFile[], known: Map<string, KnownFile>): string[] {
  const paths = new Set(present.map(({ path }) => path));
  return [...known.keys()].filter((path) => !paths.has(path));
}

function isFresh(file: FoundFile, now: Date): boolean {
  return Math.abs(now.getTime() - file.changed) < SETTLING_MS;
}

interface ReadFile {
  sha256: string;
  content: Note | NoteProblem | "same";
}

async function readNoteFile(root: string, file: FoundFile, known: KnownFile | undefined): Promise<ReadFile> {
  if (file.refused !== undefined) return { sha256: "", content: { line: 1, message: file.refused } };
  const bytes = readNoteBytes(join(root, file.path), file.size);
  if (!Buffer.isBuffer(bytes)) return { sha256: "", content: bytes };
  const hash = sha256(bytes);
  if (hash === known?.sha256) return { sha256: hash, content: "same" };
  const text = decodeNote(bytes);
  const folder = file.path.slice(0, file.path.indexOf("/"));
  if (typeof text !== "string") return { sha256: hash, content: text };
  return { sha256: hash, content: await parseNote(text, isFolder(folder) ? FOLDERS[folder] : "") };
}
