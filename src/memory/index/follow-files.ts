import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type BetterSqlite3 from "better-sqlite3";
import { sha256 } from "../../domain/hash.ts";
import { isProblem, parseNote } from "../notes/parse-note.ts";
import { FOLDERS, isFolder, type Note, type NoteProblem } from "../notes/note.ts";
import { decodeNote, readNoteBytes } from "../notes/read-note-file.ts";
import type { LanguageTable } from "../text/languages.ts";
import { openNoteRows } from "./note-rows.ts";
import { RESET } from "./schema.ts";
import { scanFiles, scanNotes, type FoundFile } from "./scan-notes.ts";

/** A file changed within this time of being read may change again without its times telling. */
const SETTLING_MS = 2000;
/** Files indexed between two breaths of the event loop. */
const STEP = 32;

export interface FollowOptions {
  root: string;
  writer: BetterSqlite3.Database;
  loadLanguages: () => Promise<LanguageTable>;
  now: () => Date;
  /** Takes the write lock (BEGIN IMMEDIATE); false where another process keeps it too long. */
  beginWriting: () => Promise<boolean>;
  /** Called with the files done and to do. */
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Look at these files alone; at all of memory/ where unset. */
  only?: string[] | undefined;
  /** Index every file again, whatever is known of it. */
  fromNothing?: boolean | undefined;
}

export interface Followed {
  outcome: "unchanged" | "updated" | "busy";
  /** How many files were looked at. */
  files: number;
}

interface KnownFile {
  path: string;
  stamp: string;
  sha256: string;
  fresh: number;
  problem: string | null;
}

/**
 * Brings the index up to the files: new, changed, removed and renamed ones, in one transaction. A file is read where
 * its stamp differs from the known one, and indexed where its hash does too.
 */
export async function followFiles(options: FollowOptions): Promise<Followed> {
  const { writer, root, only } = options;
  const found = await (only === undefined ? scanNotes(root) : scanFiles(root, only));
  if (options.fromNothing !== true && !hasChanges(found, readKnown(writer, only))) return { outcome: "unchanged", files: found.length };
  const languages = await options.loadLanguages();
  if (!(await options.beginWriting())) return { outcome: "busy", files: found.length };
  try {
    if (options.fromNothing === true) writer.exec(RESET);
    await applyChanges(found, languages, options);
    // One piece instead of many: searches read less, and the file is smaller.
    if (options.fromNothing === true) writer.exec("INSERT INTO analysed (analysed) VALUES ('optimize')");
    writer.exec("COMMIT");
    // The log of a rebuild is larger than the index; where a reader holds it, a later command shortens it.
    if (options.fromNothing === true) writer.pragma("wal_checkpoint(TRUNCATE)");
    return { outcome: "updated", files: found.length };
  } catch (error) {
    if (writer.inTransaction) writer.exec("ROLLBACK");
    throw error;
  }
}

function readKnown(writer: BetterSqlite3.Database, only: string[] | undefined): Map<string, KnownFile> {
  const all = "SELECT path, stamp, sha256, fresh, problem FROM files";
  const rows =
    only === undefined
      ? writer.prepare<[], KnownFile>(all).all()
      : writer.prepare<[string], KnownFile>(`${all} WHERE path IN (SELECT value FROM json_each(?))`).all(JSON.stringify(only));
  return new Map(rows.map((row) => [row.path, row]));
}

function hasChanges(found: FoundFile[], known: Map<string, KnownFile>): boolean {
  return found.length !== known.size || found.some((file) => needsReading(file, known.get(file.path)));
}

/** A file that was read while it was still fresh is read again until it has settled. */
function needsReading(file: FoundFile, known: KnownFile | undefined): boolean {
  return known === undefined || known.stamp !== file.stamp || known.fresh === 1;
}

function isFresh(file: FoundFile, now: Date): boolean {
  return Math.abs(now.getTime() - file.changed) < SETTLING_MS;
}

async function applyChanges(found: FoundFile[], languages: LanguageTable, options: FollowOptions): Promise<void> {
  const { writer, root, now } = options;
  const rows = openNoteRows(writer, languages);
  const forget = writer.prepare("DELETE FROM files WHERE path = ?");
  const remember = writer.prepare(
    "INSERT OR REPLACE INTO files (path, stamp, changed, sha256, fresh, line, problem) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  // Read again under the lock: another process may have indexed the same changes meanwhile.
  const known = readKnown(writer, options.only);
  const present = new Set(found.map(({ path }) => path));
  for (const path of known.keys()) {
    if (present.has(path)) continue;
    rows.remove(path);
    forget.run(path);
  }
  const changed = found.filter((file) => needsReading(file, known.get(file.path)));
  for (const [index, file] of changed.entries()) {
    if (index % STEP === 0) {
      options.onProgress?.(index, changed.length);
      await setImmediate();
    }
    const fresh = isFresh(file, now()) ? 1 : 0;
    const read = await readNoteFile(root, file, known.get(file.path));
    if (read.content === "same") {
      writer.prepare("UPDATE files SET stamp = ?, changed = ?, fresh = ? WHERE path = ?").run(file.stamp, file.changed, fresh, file.path);
      continue;
    }
    if (known.has(file.path)) rows.remove(file.path);
    const problem = isProblem(read.content) ? read.content : undefined;
    if (!isProblem(read.content)) rows.add(file.path, read.content);
    remember.run(file.path, file.stamp, file.changed, read.sha256, fresh, problem?.line ?? null, problem?.message ?? null);
  }
  rows.settle();
  options.onProgress?.(changed.length, changed.length);
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
