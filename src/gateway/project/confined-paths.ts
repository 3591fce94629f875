import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";
import { findClosedReason } from "./closed-paths.ts";

/** A path inside the project, with every symbolic link resolved. */
export interface ConfinedPath {
  absolute: string;
  /** From the project folder, with `/`; `.` for the folder itself. */
  name: string;
}

/** Resolves paths that agents name, and refuses those that leave the project or lead to secrets. */
export class ConfinedPaths {
  readonly #folder: string;
  readonly #closedFolders: readonly string[];

  constructor(folder: string, closedFolders: readonly string[]) {
    this.#folder = folder;
    this.#closedFolders = closedFolders;
  }

  /** @throws HypoError `path_refused`, or `not_found` where nothing is there. */
  async resolve(path: string): Promise<ConfinedPath> {
    const root = await realpath(this.#folder);
    const asked = resolve(root, path);
    this.#check(path, root, asked);
    const absolute = await followLinks(path, asked);
    // Once for the name that was given and once for where it leads.
    this.#check(path, root, absolute);
    const closed = await this.closed();
    if (closed.some((folder) => isInside(folder, absolute))) throw refused(path, "the folder of the agents' credentials is closed");
    return { absolute, name: nameOf(root, absolute) };
  }

  /** The closed folders with every symbolic link resolved. */
  async closed(): Promise<string[]> {
    return await Promise.all(this.#closedFolders.map((folder) => realpath(folder).catch(() => resolve(folder))));
  }

  #check(path: string, root: string, absolute: string): void {
    if (path.includes("\0")) throw refused(path, "it is no path");
    if (!isInside(root, absolute)) throw refused(path, "it is outside the project folder");
    const reason = findClosedReason(nameOf(root, absolute));
    if (reason !== undefined) throw refused(path, reason);
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function nameOf(root: string, path: string): string {
  const way = relative(root, path).split(sep).join("/");
  return way === "" ? "." : way;
}

async function followLinks(path: string, absolute: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new HypoError("not_found", `There is no ${path} in the project.`, { hint: "List the folder to see what is there." });
    }
    throw refused(path, messageOf(error));
  }
}

function refused(path: string, reason: string): HypoError {
  return new HypoError("path_refused", `${JSON.stringify(path)} is not read: ${reason}.`, {
    hint: "Only files of the project folder that hold no secrets can be read.",
  });
}
