import { lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { messageOf, systemCodeOf } from "../../domain/errors.ts";
import { isFolder } from "../notes/note.ts";
import { Listing } from "./listing.ts";

/** Files of a folder between two breaths of the event loop. */
const STEP = 1000;
const QUIET = { throwIfNoEntry: false } as const;

/** Every Markdown file in the folders of memory/. Symbolic links are never followed. */
export async function scanNotes(root: string): Promise<Listing> {
  const base = realFolder(root);
  const listing = new Listing();
  for (const name of namesIn(base)) if (typeof name === "string" && isFolder(name)) await scanEntry(base, name, listing);
  return listing;
}

/** The same for files whose paths below memory/ are known; those that are gone are left out. */
export async function scanFiles(root: string, paths: string[]): Promise<Listing> {
  const base = realFolder(root);
  const listing = new Listing();
  for (const path of paths) {
    const stats = lookAt(join(base, path), path, listing);
    if (stats !== undefined) await addFile(base, path, stats, listing);
  }
  return listing;
}

function realFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

async function scanEntry(base: string, path: string, listing: Listing): Promise<void> {
  const stats = lookAt(join(base, path), path, listing);
  if (stats?.isDirectory() === true) await scanFolder(base, path, listing);
  else if (stats !== undefined) await addFile(base, path, stats, listing);
}

async function scanFolder(base: string, folder: string, listing: Listing): Promise<void> {
  const names = namesIn(join(base, folder));
  for (let from = 0; from < names.length; from += STEP) {
    await setImmediate();
    const odd = addRegularFiles(base, folder, names.slice(from, from + STEP), listing);
    for (const path of odd) await scanEntry(base, path, listing);
  }
}

/** Adds the Markdown files among the names, and gives the paths of what else is to be looked at: folders, links, special files. */
function addRegularFiles(base: string, folder: string, names: unknown[], listing: Listing): string[] {
  const odd: string[] = [];
  const place = fromHere(`${base}${sep}${folder}${sep}`);
  for (const name of names) {
    if (typeof name !== "string") listing.refuse(folder, `the folder cannot be read: ${messageOf(name)}`);
    else if (!name.startsWith(".") && name !== "README.md") {
      const path = `${folder}/${name}`;
      const stats = lookAt(place + name, path, listing);
      if (stats === undefined) continue;
      const isMarkdown = name.endsWith(".md");
      if (isMarkdown && stats.isFile()) listing.add(path, stats);
      // A link whatever its name: one to a folder would bring notes along.
      else if (isMarkdown || stats.isDirectory() || stats.isSymbolicLink()) odd.push(path);
    }
  }
  return odd;
}

/** A path as it is from the current folder on, where it leads through that: of every file the system walks the whole path. */
function fromHere(path: string): string {
  const here = currentFolder();
  return here !== undefined && path.startsWith(here + sep) ? path.slice(here.length + 1) : path;
}

/** Undefined where it has been removed meanwhile. */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** The names in a folder; none where it does not exist, and the system's error where it cannot be read. */
function namesIn(path: string): unknown[] {
  try {
    return readdirSync(path);
  } catch (error) {
    return systemCodeOf(error) === "ENOENT" ? [] : [error];
  }
}

/** What stands at a path; undefined where nothing does, or it is refused because it cannot be looked at. */
function lookAt(file: string, path: string, listing: Listing): Stats | undefined {
  try {
    // At once: waiting for each of a hundred thousand files costs several times the call itself.
    return lstatSync(file, QUIET);
  } catch (error) {
    listing.refuse(path, messageOf(error));
    return undefined;
  }
}

async function addFile(base: string, path: string, stats: Stats, listing: Listing): Promise<void> {
  if (stats.isFile()) listing.add(path, stats);
  else listing.refuse(path, stats.isSymbolicLink() ? await whyLinkIsRefused(base, path) : "it is not a regular file");
}

async function whyLinkIsRefused(base: string, path: string): Promise<string> {
  const target = await realpath(join(base, path)).catch(() => undefined);
  if (target === undefined) return "it is a symbolic link that leads nowhere";
  const inside = relative(base, target);
  if (inside.startsWith("..") || inside.startsWith(sep)) return "it is a symbolic link that leaves memory/; copy the note here instead";
  return `it is a symbolic link to ${inside}, which is read itself; remove the link`;
}
