import { lstatSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { messageOf, systemCodeOf } from "../../domain/errors.ts";
import { isFolder } from "../notes/note.ts";

/** A file that may be a note, or something in its place that is not read. */
export interface FoundFile {
  /** Below memory/, with `/` between folders. */
  path: string;
  size: number;
  /** Differs when the file may have changed: size, times, identity. */
  stamp: string;
  /** Time of the last change, in milliseconds since 1970. */
  changed: number;
  /** Why it is not read, where that is known without reading it. */
  refused: string | undefined;
}

const STEP = 500;

/** Every Markdown file in the folders of memory/. Symbolic links are never followed. */
export async function scanNotes(root: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const base = await realpath(root).catch(() => root);
  for (const folder of await listFolder(base)) {
    if (typeof folder !== "string" && isFolder(folder.name)) await scanEntry(base, folder.name, folder.isDirectory(), found);
  }
  return found;
}

/** The same for files whose paths below memory/ are known; those that are gone are left out. */
export async function scanFiles(root: string, paths: string[]): Promise<FoundFile[]> {
  const base = await realpath(root).catch(() => root);
  const found = await Promise.all(paths.map((path) => statFile(base, path)));
  return found.filter((file) => file !== undefined);
}

async function scanEntry(base: string, path: string, isFolder: boolean, found: FoundFile[]): Promise<void> {
  if (!isFolder) {
    if (found.length % STEP === STEP - 1) await setImmediate();
    const file = await statFile(base, path);
    if (file !== undefined) found.push(file);
    return;
  }
  for (const entry of await listFolder(join(base, path))) {
    if (typeof entry === "string") found.push(refusal(path, `the folder cannot be read: ${entry}`));
    else if (isOfInterest(entry)) await scanEntry(base, `${path}/${entry.name}`, entry.isDirectory(), found);
  }
}

interface Entry {
  name: string;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** Folders, Markdown files, and links whatever their name: a link to a folder would bring notes along. */
function isOfInterest(entry: Entry): boolean {
  if (entry.name.startsWith(".") || entry.name === "README.md") return false;
  return entry.isDirectory() || entry.isSymbolicLink() || entry.name.endsWith(".md");
}

/** The entries of a folder; none where it does not exist, and the system's message where it cannot be read. */
async function listFolder(path: string): Promise<(Entry | string)[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    return systemCodeOf(error) === "ENOENT" ? [] : [messageOf(error)];
  }
}

async function statFile(base: string, path: string): Promise<FoundFile | undefined> {
  try {
    // A hundred thousand of these are asked for at a time: waiting for each costs several times the call itself.
    const stats = lstatSync(join(base, path), { bigint: true });
    const { size, mtimeNs, ctimeNs, ino } = stats;
    const changed = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
    const refused = stats.isSymbolicLink() ? await whyLinkIsRefused(base, path) : stats.isFile() ? undefined : "it is not a regular file";
    return { path, size: Number(size), stamp: `${size}:${mtimeNs}:${ctimeNs}:${ino}`, changed, refused };
  } catch (error) {
    return systemCodeOf(error) === "ENOENT" ? undefined : refusal(path, messageOf(error));
  }
}

async function whyLinkIsRefused(base: string, path: string): Promise<string> {
  const target = await realpath(join(base, path)).catch(() => undefined);
  if (target === undefined) return "it is a symbolic link that leads nowhere";
  const inside = relative(base, target);
  if (inside.startsWith("..") || inside.startsWith(sep)) return "it is a symbolic link that leaves memory/; copy the note here instead";
  return `it is a symbolic link to ${inside}, which is read itself; remove the link`;
}

function refusal(path: string, refused: string): FoundFile {
  return { path, size: 0, stamp: refused, changed: 0, refused };
}
