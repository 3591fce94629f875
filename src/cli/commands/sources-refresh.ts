import { fileURLToPath } from "node:url";
import { HypoError } from "../../domain/errors.ts";
import type { SourceRecord } from "../../domain/source.ts";
import { loadConfig } from "../config/load.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { plainLine } from "../output/plain-text.ts";
import { count } from "../output/quantities.ts";
import { findProject } from "../project/project.ts";
import { findAllStale } from "../runs/staleness.ts";
import type { Reading, Stores } from "../stores.ts";
import type { SourcesRefreshOptions } from "./store-options.ts";
import { unknownSource } from "./sources.ts";

interface Refreshed {
  source: string;
  url: string;
  outcome: "unchanged" | "changed" | "failed";
  /** What the address gives now, where that is another document. */
  now?: string;
  problem?: string;
}

/**
 * Asks the addresses of sources again, the person's own files included; a document that has changed becomes a source of
 * its own, and the old one stays.
 * What of all runs rests on one that changed is named.
 */
export async function sourcesRefreshCommand(options: SourcesRefreshOptions, io: Io, stores: Stores): Promise<number> {
  const project = await findProject(io.cwd);
  if (!project) throw unknownSource(options.sources[0] ?? "");
  const { config } = await loadConfig(io);
  const reading = await stores.openReading(project.state, config, (line) => writeErr(io, plainLine(line)));
  const refreshed: Refreshed[] = [];
  try {
    for (const source of options.sources) refreshed.push(await refreshOne(source, config.gateway.max_bytes, io, reading));
  } finally {
    await reading.close();
  }
  const changed = new Set(refreshed.flatMap(({ source, outcome }) => (outcome === "changed" ? [source] : [])));
  const all = changed.size === 0 ? [] : await findAllStale(project, stores, (line) => writeErr(io, plainLine(line)));
  const stale = all.filter(({ through }) => changed.has(through[0] ?? ""));
  if (options.json) writeJson(io, { sources: refreshed, stale });
  else for (const one of refreshed) writeOut(io, plainLine(describe(one)));
  if (stale.length > 0) writeErr(io, `${count(stale.length)} results of runs rest on what changed: \`hypo memory stale\` lists them.`);
  return refreshed.some(({ outcome }) => outcome === "failed") ? 1 : 0;
}

async function refreshOne(id: string, maxBytes: number, io: Io, reading: Reading): Promise<Refreshed> {
  const source = await reading.sources.find(id);
  if (source === undefined) throw unknownSource(id);
  const url = source.retrievals.at(-1)?.url ?? source.canonical;
  const base = { source: source.id, url };
  try {
    const now = url.startsWith("file:") ? await readFileAgain(url, maxBytes, io, reading) : await readAgain(url, reading);
    return now.id === source.id ? { ...base, outcome: "unchanged" } : { ...base, outcome: "changed", now: now.id };
  } catch (error) {
    if (!(error instanceof HypoError)) throw error;
    return { ...base, outcome: "failed", problem: error.message };
  }
}

async function readAgain(url: string, { gateway }: Reading): Promise<SourceRecord> {
  return (await gateway.read(url, { signal: new AbortController().signal, refresh: true })).source;
}

/** The person's own file, which the gateway to the web does not read. */
async function readFileAgain(url: string, maxBytes: number, io: Io, { sources }: Reading): Promise<SourceRecord> {
  const { readFileToAdd } = await import("../../gateway/index.ts");
  const document = await readFileToAdd(fileURLToPath(url), maxBytes, io.now());
  return (await sources.keep(document, new AbortController().signal)).source;
}

function describe({ source, url, outcome, now, problem }: Refreshed): string {
  const what =
    outcome === "changed" ? `changed: now ${now?.slice(0, 12) ?? ""}` : outcome === "failed" ? `failed: ${problem ?? ""}` : outcome;
  return `${source.slice(0, 12)}  ${what}  ${url}`;
}
