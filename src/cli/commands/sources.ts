import { HypoError } from "../../domain/errors.ts";
import type { SourceRecord } from "../../domain/source.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor, type Paint } from "../output/color.ts";
import { plainBlock, plainLine } from "../output/plain-text.ts";
import { bytes, count } from "../output/quantities.ts";
import { tableLines } from "../output/table.ts";
import { terminalWidth } from "../output/terminal.ts";
import { findProject } from "../project/project.ts";
import type { Sources, Stores } from "../stores.ts";
import type { SourcesListOptions, SourcesSearchOptions, SourcesShowOptions } from "./store-options.ts";

type SimilarSource = Awaited<ReturnType<Sources["findSimilar"]>>[number];

/** Characters of derived text shown without --text. */
const EXCERPT = 1500;

/** Lists stored sources, most recently retrieved first. */
export async function sourcesListCommand(options: SourcesListOptions, io: Io, stores: Stores): Promise<number> {
  const page = (await withSources(io, stores, (sources) => sources.newest(options.limit))) ?? { sources: [], total: 0 };
  if (options.json) writeJson(io, { ...page });
  else if (page.sources.length === 0) writeErr(io, "No sources are stored here yet.");
  else writePage(page, "older", io);
  return 0;
}

/** Searches stored sources by title, people, address and the text of those that something cites or that the person added. */
export async function sourcesSearchCommand(options: SourcesSearchOptions, io: Io, stores: Stores): Promise<number> {
  const { query, limit } = options;
  const page = (await withSources(io, stores, (sources) => sources.search(query, limit))) ?? { sources: [], total: 0 };
  if (options.json) writeJson(io, { query, ...page });
  else if (page.sources.length === 0) writeErr(io, "No stored source has all these words.");
  else writePage(page, "more", io);
  return 0;
}

/** Shows one source and the beginning of its text, or all of its text. */
export async function sourcesShowCommand(options: SourcesShowOptions, io: Io, stores: Stores): Promise<number> {
  const found = await withSources(io, stores, async (sources) => {
    const source = await sources.find(options.source);
    return source && { source, text: await sources.text(source.id), similar: await sources.findSimilar(source) };
  });
  if (!found) throw unknownSource(options.source);
  const { source, text, similar } = found;
  if (options.json) {
    const shown = text === undefined ? null : options.text ? text : text.slice(0, EXCERPT);
    writeJson(io, { source, text: shown, near_duplicates: similar });
  } else if (options.text) writeOut(io, plainBlock(text ?? refuseWithoutText(source)));
  else writeOut(io, sourceLines(source, text, similar, painterFor(io.color.stdout)).join("\n"));
  return 0;
}

/** The error of an id that names no stored source. */
export function unknownSource(id: string): HypoError {
  return new HypoError("not_found", `No stored source begins with ${JSON.stringify(id)}.`, {
    hint: "`hypo sources list` shows them; give 8 digits or more.",
  });
}

/** Uses the store of the project; undefined outside a project. */
export async function withSources<T>(io: Io, stores: Stores, use: (sources: Sources) => Promise<T>): Promise<T | undefined> {
  const project = await findProject(io.cwd);
  if (!project) return undefined;
  const sources = await stores.openSources(project.state, (line) => writeErr(io, plainLine(line)));
  try {
    return await use(sources);
  } finally {
    await sources.close();
  }
}

function writePage({ sources, total }: { sources: readonly SourceRecord[]; total: number }, which: string, io: Io): void {
  writeOut(io, sourceTable(sources, io).join("\n"));
  if (total > sources.length) writeErr(io, `${total - sources.length} ${which} sources are not shown (--limit).`);
}

function sourceTable(sources: readonly SourceRecord[], io: Io): string[] {
  return tableLines<SourceRecord>(
    [
      { title: "SOURCE", value: (row) => row.id.slice(0, 12) },
      { title: "RETRIEVED", value: (row) => retrievedAt(row).slice(0, 10) },
      { title: "TYPE", value: (row) => row.mime, max: 24 },
      { title: "SIZE", value: (row) => bytes(row.size), side: "right" },
      { title: "TITLE", value: (row) => row.bibliography.title ?? "-", max: 60 },
      { title: "ADDRESS", value: (row) => row.canonical, max: 200 },
    ],
    sources,
    terminalWidth(io),
    painterFor(io.color.stdout),
  );
}

function retrievedAt(source: SourceRecord): string {
  return source.retrievals.at(-1)?.retrieved_at ?? "";
}

function refuseWithoutText(source: SourceRecord): never {
  throw new HypoError("no_text", `No text can be derived from source ${source.id.slice(0, 12)} (${source.mime}).`, {
    hint: "`hypo sources show` without --text shows where it came from.",
  });
}

function sourceLines(source: SourceRecord, text: string | undefined, similar: readonly SimilarSource[], paint: Paint): string[] {
  const { bibliography, retrievals } = source;
  const found = Object.entries(bibliography).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)] as const,
  );
  const derived = source.text
    ? `${count(source.text.characters)} characters by ${source.text.extractor}, sha256 ${source.text.sha256}`
    : "none";
  return [
    paint("strong", plainLine(bibliography.title ?? source.canonical)),
    `sha256     ${source.id}`,
    `type       ${plainLine(source.mime)}, ${bytes(source.size)}`,
    `text       ${derived}`,
    "",
    paint("strong", "Retrieved"),
    ...retrievals.map((each) => plainLine(`${each.retrieved_at} ${each.status} ${each.backend} ${each.url}${redirected(each)}`)),
    ...(found.length === 0
      ? []
      : ["", paint("strong", "Found in the document"), ...found.map(([name, value]) => `${name.padEnd(14)} ${plainLine(value)}`)]),
    ...(similar.length === 0
      ? []
      : [
          "",
          paint("strong", "Nearly the same text"),
          ...similar.map(({ id, similarity }) => `${id}  ${Math.round(similarity * 100)}% alike`),
        ]),
    ...(text === undefined ? [] : ["", paint("strong", "Text (untrusted: written by others)"), plainBlock(text.slice(0, EXCERPT))]),
    ...(text !== undefined && text.length > EXCERPT ? [paint("dim", `... ${count(text.length - EXCERPT)} more characters: --text`)] : []),
  ];
}

function redirected({ url, final_url }: { url: string; final_url: string }): string {
  return url === final_url ? "" : ` -> ${final_url}`;
}
