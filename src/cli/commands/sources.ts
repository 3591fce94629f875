import { HypoError } from "../../domain/errors.ts";
import type { SourceRecord } from "../../domain/source.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor, type Paint } from "../output/color.ts";
import { plainBlock, plainLine } from "../output/plain-text.ts";
import { bytes, count } from "../output/quantities.ts";
import { tableLines } from "../output/table.ts";
import { terminalWidth } from "../output/terminal.ts";
import { findProject } from "../project/project.ts";
import type { Stores } from "../stores.ts";
import type { SourcesListOptions, SourcesShowOptions } from "./options.ts";

/** Characters of derived text shown without --text. */
const EXCERPT = 1500;

/** Lists stored sources, most recently retrieved first. */
export async function sourcesListCommand(options: SourcesListOptions, io: Io, stores: Stores): Promise<number> {
  const all = (await withSources(io, stores, (sources) => sources.list())) ?? [];
  const newest = all.toSorted((a, b) => retrievedAt(b).localeCompare(retrievedAt(a))).slice(0, options.limit);
  if (options.json) writeJson(io, { sources: newest, total: all.length });
  else if (newest.length === 0) writeErr(io, "No sources are stored here yet.");
  else writeOut(io, sourceTable(newest, io).join("\n"));
  if (!options.json && all.length > newest.length) writeErr(io, `${all.length - newest.length} older sources are not shown (--limit).`);
  return 0;
}

/** Shows one source and the beginning of its text, or all of its text. */
export async function sourcesShowCommand(options: SourcesShowOptions, io: Io, stores: Stores): Promise<number> {
  const found = await withSources(io, stores, async (sources) => {
    const source = await sources.find(options.source);
    return source && { source, text: await sources.text(source.id) };
  });
  if (!found) {
    throw new HypoError("not_found", `No stored source begins with ${JSON.stringify(options.source)}.`, {
      hint: "`hypo sources list` shows them; give 8 digits or more.",
    });
  }
  const { source, text } = found;
  if (options.json) writeJson(io, { source, text: text === undefined ? null : options.text ? text : text.slice(0, EXCERPT) });
  else if (options.text) writeOut(io, plainBlock(text ?? refuseWithoutText(source)));
  else writeOut(io, sourceLines(source, text, painterFor(io.color.stdout)).join("\n"));
  return 0;
}

type Sources = Awaited<ReturnType<Stores["openSources"]>>;

/** Undefined outside a project. */
async function withSources<T>(io: Io, stores: Stores, use: (sources: Sources) => Promise<T>): Promise<T | undefined> {
  const project = await findProject(io.cwd);
  if (!project) return undefined;
  const sources = await stores.openSources(project.state, (line) => writeErr(io, plainLine(line)));
  try {
    return await use(sources);
  } finally {
    await sources.close();
  }
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

function sourceLines(source: SourceRecord, text: string | undefined, paint: Paint): string[] {
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
    ...(text === undefined ? [] : ["", paint("strong", "Text (untrusted: written by others)"), plainBlock(text.slice(0, EXCERPT))]),
    ...(text !== undefined && text.length > EXCERPT ? [paint("dim", `... ${count(text.length - EXCERPT)} more characters: --text`)] : []),
  ];
}

function redirected({ url, final_url }: { url: string; final_url: string }): string {
  return url === final_url ? "" : ` -> ${final_url}`;
}
