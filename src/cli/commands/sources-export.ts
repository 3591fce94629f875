import { join, resolve } from "node:path";
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

/** Copies sources out of the store: bytes, texts, what is known of them, and a bibliography. */
export async function sourcesExportCommand(options: SourcesExportOptions, io: Io, stores: Stores): Promise<number> {
  const folder = resolve(io.cwd, options.to);
  const exported = await withSources(io, stores, async (sources) => {
    const chosen = await choose(options.sources, sources);
    const files = (await Promise.all(chosen.map((source) => copyOne(source, sources, folder)))).flat();
    await writeFileAtomic(join(folder, "sources.json"), `${JSON.stringify({ v: 1, sources: chosen }, undefined, 2)}\n`);
    await writeFileAtomic(join(folder, "sources.bib"), chosen.map(bibtexOf).join("\n"));
    return { sources: chosen.map(({ id }) => id), files: [...files, "sources.json", "sources.bib"] };
  });
  if (exported === undefined && options.sources[0] !== undefined) throw unknownSource(options.sources[0]);
  const { sources, files } = exported ?? { sources: [], files: [] };
  if (options.json) writeJson(io, { folder, sources, files });
  else if (sources.length === 0) writeErr(io, "No sources are stored here yet.");
  else writeOut(io, plainLine(`${sources.length} sources in ${folder}`));
  return 0;
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

/** Names of the files written: the original, where its bytes are here, and its text, where it has one. */
async function copyOne(source: SourceRecord, sources: Sources, folder: string): Promise<string[]> {
  const name = source.id.slice(0, 12);
  const [essence = ""] = source.mime.split(";");
  const original = await sources.bytes(source.id);
  const text = await sources.text(source.id);
  const files: [string, string | Uint8Array][] = [
    ...(original === undefined ? [] : [[`${name}.${EXTENSIONS[essence] ?? "bin"}`, original] as [string, Uint8Array]]),
    ...(text === undefined ? [] : [[`${name}.text.md`, text] as [string, string]]),
  ];
  for (const [file, content] of files) await writeFileAtomic(join(folder, file), content);
  return files.map(([file]) => file);
}
