import { join, resolve } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import type { SourceRecord } from "../../domain/source.ts";
import { writeFileAtomic } from "../../files/atomic.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { plainLine } from "../output/plain-text.ts";
import type { Sources, Stores } from "../stores.ts";
import type { SourcesExportOptions } from "./store-options.ts";
import { bibtexOf } from "./sources-bibtex.ts";
import { unknownSource, withSources } from "./sources.ts";

const EXTENSIONS: Readonly<Record<string, string>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "application/pdf": "pdf",
  "text/markdown": "md",
  "text/csv": "csv",
  "application/json": "json",
};

interface Copied {
  sources: SourceRecord[];
  files: string[];
  problems: { source: string; problem: string }[];
}

/** Copies sources out of the store: bytes, texts, what is known of them, and a bibliography. What cannot be read is named (exit 1). */
export async function sourcesExportCommand(options: SourcesExportOptions, io: Io, stores: Stores): Promise<number> {
  const folder = resolve(io.cwd, options.to);
  const exported = await withSources(io, stores, async (sources) => {
    const copied = await copyAll(await choose(options.sources, sources), sources, folder);
    await writeFileAtomic(join(folder, "sources.json"), `${JSON.stringify({ v: 1, sources: copied.sources }, undefined, 2)}\n`);
    await writeFileAtomic(join(folder, "sources.bib"), copied.sources.map(bibtexOf).join("\n"));
    return { ...copied, files: [...copied.files, "sources.json", "sources.bib"] };
  });
  if (exported === undefined && options.sources[0] !== undefined) throw unknownSource(options.sources[0]);
  const { sources, files, problems } = exported ?? { sources: [], files: [], problems: [] };
  if (options.json) writeJson(io, { folder, sources: sources.map(({ id }) => id), files, problems });
  else if (sources.length + problems.length === 0) writeErr(io, "No sources are stored here yet.");
  else writeOut(io, plainLine(`${sources.length} sources in ${folder}`));
  if (!options.json)
    for (const { source, problem } of problems) writeErr(io, plainLine(`Not exported: ${source.slice(0, 12)}: ${problem}`));
  return problems.length > 0 ? 1 : 0;
}

/** One after the other: a store may hold more than memory does. */
async function copyAll(chosen: readonly SourceRecord[], sources: Sources, folder: string): Promise<Copied> {
  const copied: Copied = { sources: [], files: [], problems: [] };
  for (const source of chosen) {
    const content = await readOne(source, sources);
    if ("problem" in content) copied.problems.push({ source: source.id, problem: content.problem });
    else {
      copied.sources.push(source);
      for (const [file, bytes] of content.files) await writeFileAtomic(join(folder, file), bytes);
      copied.files.push(...content.files.map(([file]) => file));
    }
  }
  return copied;
}

async function choose(ids: readonly string[], sources: Sources): Promise<SourceRecord[]> {
  if (ids.length === 0) return await sources.list();
  return await Promise.all(
    ids.map(async (id) => {
      const source = await sources.find(id);
      if (source === undefined) throw unknownSource(id);
      return source;
    }),
  );
}

type Content = { files: [name: string, content: string | Uint8Array][] } | { problem: string };

/** The original, where its bytes are here, and its text, where it has one; or why they cannot be had. */
async function readOne(source: SourceRecord, sources: Sources): Promise<Content> {
  const name = source.id.slice(0, 12);
  const [essence = ""] = source.mime.split(";");
  try {
    const original = await sources.bytes(source.id);
    const text = await sources.text(source.id);
    return {
      files: [
        ...(original === undefined ? [] : [[`${name}.${EXTENSIONS[essence] ?? "bin"}`, original] as [string, Uint8Array]]),
        ...(text === undefined ? [] : [[`${name}.text.md`, text] as [string, string]]),
      ],
    };
  } catch (error) {
    if (error instanceof HypoError) return { problem: error.message };
    throw error;
  }
}
