import type { ListedNote } from "../../memory/search/search-index.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor } from "../output/color.ts";
import { tableLines } from "../output/table.ts";
import { terminalWidth } from "../output/terminal.ts";
import type { Stores } from "../stores.ts";
import { readFilters } from "./memory-search.ts";
import type { MemoryExportOptions, MemoryListOptions } from "./store-options.ts";
import { tellBroken } from "./tell-broken.ts";
import { withMemory } from "./with-memory.ts";

/** Lists notes, newest first. */
export async function memoryListCommand(options: MemoryListOptions, io: Io, stores: Stores): Promise<number> {
  const notes = await withMemory(io, stores, async (memory, project) => {
    tellBroken(await memory.countBroken(), io);
    return memory.list({ limit: options.limit + 1, filters: await readFilters(options, project) });
  });
  const shown = notes.slice(0, options.limit);
  const hasMore = notes.length > shown.length;
  if (options.json) writeJson(io, { notes: shown.map(listEntry), more: hasMore });
  else if (shown.length === 0) writeErr(io, "There are no such notes.");
  else writeOut(io, noteTable(shown, io).join("\n"));
  if (!options.json && hasMore) writeErr(io, "There are more notes (--limit).");
  return 0;
}

/** Prints every note as a line of JSON. */
export async function memoryExportCommand(_options: MemoryExportOptions, io: Io, stores: Stores): Promise<number> {
  await withMemory(io, stores, async (memory) => {
    tellBroken(await memory.countBroken(), io);
    for await (const { path, sha256, note } of memory.export()) {
      const { extra, ...known } = note;
      writeOut(io, JSON.stringify({ v: 1, path, sha256, ...known, extra }, writeBigInt));
    }
  });
  return 0;
}

/** Integers too large for a number, as people write them into frontmatter. */
export function writeBigInt(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

function listEntry({ id, type, status, run, created, title, path }: ListedNote): Record<string, unknown> {
  return { id, type, status, run, created, title, path };
}

function noteTable(notes: readonly ListedNote[], io: Io): string[] {
  return tableLines<ListedNote>(
    [
      { title: "NOTE", value: (row) => row.id, max: 24 },
      { title: "TYPE", value: (row) => row.type, max: 18 },
      { title: "STATUS", value: (row) => row.status, max: 14 },
      { title: "CREATED", value: (row) => row.created.slice(0, 10) },
      { title: "TITLE", value: (row) => row.title, max: 200 },
    ],
    notes,
    terminalWidth(io),
    painterFor(io.color.stdout),
  );
}
