import type { SourceRecord } from "../../domain/source.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { plainLine } from "../output/plain-text.ts";
import { bytes } from "../output/quantities.ts";
import { findProject } from "../project/project.ts";
import type { Sources, Stores } from "../stores.ts";
import type { SourcesGcOptions } from "./store-options.ts";
import { findCitedSources } from "./sources-cited.ts";

const DAY_MS = 86_400_000;

/** Removes old sources that nothing cites; what is cited is never touched. */
export async function sourcesGcCommand(options: SourcesGcOptions, io: Io, stores: Stores): Promise<number> {
  const project = await findProject(io.cwd);
  const removed = project ? await collect(project.state, options, io, stores) : [];
  const size = removed.reduce((sum, source) => sum + source.size, 0);
  const ids = removed.map(({ id }) => id);
  if (options.json) writeJson(io, { dry_run: options.dryRun, removed: ids, bytes: size });
  else {
    for (const { id, bibliography, canonical } of removed)
      writeOut(io, plainLine(`${id.slice(0, 12)}  ${bibliography.title ?? canonical}`));
    writeErr(io, `${ids.length} sources (${bytes(size)}) ${options.dryRun ? "would be" : "were"} removed.`);
  }
  return 0;
}

async function collect(state: string, options: SourcesGcOptions, io: Io, stores: Stores): Promise<SourceRecord[]> {
  const began = io.now();
  const sources = await stores.openSources(state, (line) => writeErr(io, plainLine(line)));
  try {
    const all = await sources.list();
    const cited = await findCitedSources(state, stores);
    const unwanted = chooseUnwanted(all, cited, new Date(began.getTime() - options.olderThan * DAY_MS));
    return options.dryRun ? unwanted : await removeAll(unwanted, sources, began);
  } finally {
    await sources.close();
  }
}

/** Sources that nothing cites and that were last retrieved before a time. */
function chooseUnwanted(sources: readonly SourceRecord[], cited: ReadonlySet<string>, before: Date): SourceRecord[] {
  return sources.filter(({ id, retrievals }) => !cited.has(id) && Date.parse(retrievals.at(-1)?.retrieved_at ?? "") <= before.getTime());
}

async function removeAll(unwanted: readonly SourceRecord[], sources: Sources, began: Date): Promise<SourceRecord[]> {
  const removed: SourceRecord[] = [];
  for (const source of unwanted) if (await sources.remove(source.id, began)) removed.push(source);
  return removed;
}
