import { open, readdir, readFile, stat } from "node:fs/promises";
import { HypoError } from "../../domain/errors.ts";
import type { Clock, ProjectFiles } from "../../domain/ports.ts";
import { findClosedReason } from "./closed-paths.ts";
import { ConfinedPaths, type ConfinedPath } from "./confined-paths.ts";
import { matchesPath } from "./glob.ts";
import { compilePattern } from "./search-lines.ts";
import { walkProject } from "./walk-project.ts";

const MAX_LINES = 2_000;
const MAX_CHARACTERS = 50_000;
const MAX_ENTRIES = 500;
const MAX_MATCHES = 200;
const MAX_TEXT_BYTES = 5_000_000;
const MAX_DATA_BYTES = 200_000_000;
const GREP_MS = 5_000;

export interface ProjectFilesOptions {
  /** The person's project: nothing outside it is read. */
  folder: string;
  /** Folders inside or outside it that stay closed, such as Pi's agent folder. */
  closedFolders: readonly string[];
  clock: Pick<Clock, "monotonic">;
}

/** Read-only access to the project for agents; outputs are bounded and say where they were cut. */
export function createProjectFiles({ folder, closedFolders, clock }: ProjectFilesOptions): ProjectFiles {
  const paths = new ConfinedPaths(folder, closedFolders);

  return {
    async read(path, { offset = 0, limit = MAX_LINES } = {}) {
      const text = await readText(path, await paths.resolve(path));
      const lines = text.split(/\r?\n/);
      const start = Math.max(0, Math.floor(offset));
      const shown = fitLines(lines.slice(start, start + Math.min(Math.max(1, limit), MAX_LINES)));
      const end = start + shown.length;
      return end < lines.length
        ? [...shown, `[lines ${start + 1}-${end} of ${lines.length}; go on with offset ${end}]`].join("\n")
        : shown.join("\n");
    },
    async list(path) {
      const { absolute, name } = await paths.resolve(path);
      await requireFolder(path, absolute);
      const entries = await readdir(absolute, { withFileTypes: true });
      const open = entries.filter((entry) => findClosedReason(name === "." ? entry.name : `${name}/${entry.name}`) === undefined);
      const names = open.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted();
      return names.length === 0 ? "[empty]" : cutList(names, MAX_ENTRIES);
    },
    async grep(pattern, { path = ".", glob, ignoreCase = false, limit = MAX_MATCHES } = {}) {
      const findLines = compilePattern(pattern, ignoreCase);
      const deadline = clock.monotonic() + GREP_MS;
      const most = Math.min(Math.max(1, limit), MAX_MATCHES);
      const found: string[] = [];
      for await (const file of filesUnder(await paths.resolve(path))) {
        if (glob !== undefined && !matchesPath(file.name, glob)) continue;
        if (clock.monotonic() >= deadline) return [...found, `[stopped after ${GREP_MS / 1000} s: search a smaller folder]`].join("\n");
        const text = await readSearchable(file);
        if (text === undefined) continue;
        found.push(
          ...findLines(text, deadline - clock.monotonic()).map((match) => `${file.name}:${match.line}: ${match.text.slice(0, 300)}`),
        );
        if (found.length > most) break;
      }
      return found.length === 0 ? "[no matches]" : cutList(found, most);
    },
    async find(glob, { path = ".", limit = MAX_ENTRIES } = {}) {
      const most = Math.min(Math.max(1, limit), MAX_ENTRIES);
      const found: string[] = [];
      for await (const { name } of filesUnder(await paths.resolve(path))) {
        if (matchesPath(name, glob)) found.push(name);
        if (found.length > most) break;
      }
      return found.length === 0 ? "[no files]" : cutList(found, most);
    },
    async bytes(path) {
      const { absolute } = await paths.resolve(path);
      await requireFile(path, absolute, MAX_DATA_BYTES);
      return await readFile(absolute);
    },
  };

  async function* filesUnder(start: ConfinedPath): AsyncGenerator<ConfinedPath> {
    if ((await stat(start.absolute)).isFile()) yield start;
    else yield* walkProject(start, await paths.closed());
  }
}

async function readText(path: string, { absolute }: ConfinedPath): Promise<string> {
  await requireFile(path, absolute, MAX_TEXT_BYTES);
  const bytes = await readFile(absolute);
  if (isBinary(bytes)) {
    throw new HypoError("unsupported_type", `${path} is a binary file.`, { hint: "Use it as data of an experiment, or read a text file." });
  }
  return bytes.toString("utf8");
}

/** A file's text for searching; nothing where it is too large or binary. */
async function readSearchable({ absolute }: ConfinedPath): Promise<string | undefined> {
  const file = await open(absolute).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size > MAX_TEXT_BYTES) return undefined;
    const bytes = await file.readFile();
    return isBinary(bytes) ? undefined : bytes.toString("utf8");
  } finally {
    await file.close();
  }
}

async function requireFile(path: string, absolute: string, maxBytes: number): Promise<void> {
  const found = await stat(absolute);
  if (found.isDirectory()) throw new HypoError("usage", `${path} is a folder.`, { hint: "List it, or name a file in it." });
  if (!found.isFile()) throw new HypoError("path_refused", `${path} is not a regular file.`, { hint: "Name a regular file." });
  if (found.size > maxBytes) {
    const hint = "Use grep to find the part that matters.";
    throw new HypoError("too_large", `${path} has ${found.size} bytes; at most ${maxBytes} are read.`, { hint });
  }
}

async function requireFolder(path: string, absolute: string): Promise<void> {
  if (!(await stat(absolute)).isDirectory()) throw new HypoError("usage", `${path} is a file.`, { hint: "Read it, or name a folder." });
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8_000).includes(0);
}

/** As many lines as fit; a single line that does not is cut. */
function fitLines(lines: string[]): string[] {
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines) {
    characters += line.length + 1;
    if (characters > MAX_CHARACTERS && shown.length > 0) break;
    shown.push(line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)} [line cut]` : line);
  }
  return shown;
}

function cutList(lines: string[], most: number): string {
  const shown = fitLines(lines.slice(0, most));
  return shown.length < lines.length ? [...shown, `[more: ${shown.length} shown]`].join("\n") : shown.join("\n");
}
