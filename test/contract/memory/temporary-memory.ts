import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openMemory, type MarkdownMemory } from "../../../src/memory/index.ts";

/** A `.hypo` folder of its own for one test, with what memory said. */
export interface TemporaryMemory {
  folder: string;
  memory: MarkdownMemory;
  said: string[];
  /** Writes a file below memory/ as an editor or git would. */
  put(path: string, text: string | Uint8Array): Promise<void>;
  get(path: string): Promise<string>;
  /** Another opening of the same folder, as the next command would have. */
  reopen(): MarkdownMemory;
  remove(): Promise<void>;
}

/** @param aheadMs how far memory's clock is ahead: with some seconds, files have settled as soon as they are written */
export async function makeTemporaryMemory(aheadMs = 0): Promise<TemporaryMemory> {
  const folder = await mkdtemp(join(tmpdir(), "hypo-memory-"));
  const said: string[] = [];
  const opened: MarkdownMemory[] = [];
  const reopen = () => {
    const memory = openMemory({ folder, say: (line) => said.push(line), now: () => new Date(Date.now() + aheadMs) });
    opened.push(memory);
    return memory;
  };
  return {
    folder,
    memory: reopen(),
    said,
    reopen,
    async put(path, text) {
      await mkdir(dirname(join(folder, "memory", path)), { recursive: true });
      await writeFile(join(folder, "memory", path), text);
    },
    get: (path) => readFile(join(folder, "memory", path), "utf8"),
    async remove() {
      await Promise.all(opened.map((memory) => memory.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The file of a note as a person might write it. */
export function noteFile(id: string, text: string, front = ""): string {
  return `---\nid: ${id}\ntype: fact\nstatus: observed\n${front}---\n\n# ${text}\n\n## Statement\n\n${text}\n`;
}
