import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { HypoError, systemCodeOf } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import { makeFolder, storageError, writeFileAtomic } from "../../files/atomic.ts";
import { isFolder } from "./note.ts";

/** What a file for a note held before: the note's own text, nothing, or something else that was left alone. */
export type Written = "written" | "same" | "kept";

/**
 * Writes a note where no file is yet. Of a file that is there, the same text needs no writing, and another text is a
 * person's edit, which is never overwritten.
 *
 * @param replaces SHA-256 of texts that hypo itself wrote there before: those are no edits
 * @throws HypoError `path_refused` for a path that is no note's or leads out of memory/ through a link.
 */
export async function writeNewNote(root: string, note: { path: string; text: string }, replaces: readonly string[] = []): Promise<Written> {
  const path = join(root, checkInside(note.path));
  const present = await readPresent(path, note.path);
  if (present === undefined) {
    checkName(note.path);
    await makeFolder(dirname(path));
  }
  await refuseLinks(root, dirname(path), note.path);
  if (present === note.text) return "same";
  if (present !== undefined && !replaces.includes(sha256(present))) return "kept";
  await writeFileAtomic(path, note.text);
  return "written";
}

/** In one of memory's folders, or deeper: people move notes to folders of their own. */
function checkInside(path: string): string {
  const [folder = "", ...rest] = path.split("/");
  if (isFolder(folder) && rest.length > 0 && !rest.some((name) => ["", ".", ".."].includes(name))) return path;
  throw refusedPath(path);
}

/** A new note is `<folder>/<name>.md`, with nothing in the name that another system could read as a folder or refuse. */
function checkName(path: string): void {
  const [, name = "", ...rest] = path.split("/");
  const isName = /^(?!\.)[^/\\:*?"<>|\p{Cc}]+\.md$/u.test(name) && Buffer.byteLength(name) <= 200;
  if (!isName || rest.length > 0) throw refusedPath(path);
}

function refusedPath(path: string): HypoError {
  return new HypoError("path_refused", `No note can be written at ${JSON.stringify(path)}.`, {
    hint: "A note's path is one of memory's folders and a file name ending in .md, under 200 bytes.",
  });
}

/** @throws HypoError `path_refused` where a note's folder is a link that leaves memory/. */
export async function refuseLinks(root: string, folder: string, path: string): Promise<void> {
  const inside = relative(...(await Promise.all([realpath(root), realpath(folder)])));
  if (inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) return;
  throw new HypoError("path_refused", `The folder of ${path} is a symbolic link that leaves memory/.`, {
    hint: "Replace the link with a real folder.",
  });
}

async function readPresent(path: string, shown: string): Promise<string | undefined> {
  try {
    if (!(await lstat(path)).isFile())
      throw new HypoError("path_refused", `There is something else than a file at memory/${shown}.`, { hint: "Move it away." });
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw storageError(path, error);
  }
}
