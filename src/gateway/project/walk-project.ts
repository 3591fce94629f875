import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { findClosedReason, isSkippedFolder } from "./closed-paths.ts";
import type { ConfinedPath } from "./confined-paths.ts";

/** Most files that one walk looks at. */
const MAX_FILES = 50_000;

/** The open files below a folder, sorted within each folder. Symbolic links are not followed. */
export async function* walkProject({ absolute, name }: ConfinedPath, closed: readonly string[]): AsyncGenerator<ConfinedPath> {
  const folders: ConfinedPath[] = [{ absolute, name }];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder.absolute, { withFileTypes: true }).catch(() => []);
    const below: ConfinedPath[] = [];
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const child = {
        absolute: join(folder.absolute, entry.name),
        name: folder.name === "." ? entry.name : `${folder.name}/${entry.name}`,
      };
      if (findClosedReason(child.name) !== undefined || closed.includes(child.absolute)) continue;
      if (entry.isDirectory() && !isSkippedFolder(entry.name)) below.push(child);
      if (!entry.isFile()) continue;
      seen += 1;
      if (seen > MAX_FILES) return;
      yield child;
    }
    folders.push(...below.toReversed());
  }
}
