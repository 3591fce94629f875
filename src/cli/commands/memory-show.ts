import type { PublishedNote } from "../../memory/rules/check-rules.ts";
import { describeAge } from "../../domain/age.ts";
import type { StoredNote } from "../../memory/index.ts";
import { writeJson, writeOut, type Io } from "../io.ts";
import { painterFor, type Paint } from "../output/color.ts";
import { markdownLines } from "../output/markdown.ts";
import { plainBlock, plainLine } from "../output/plain-text.ts";
import { readPublications } from "../runs/published-notes.ts";
import type { Stores } from "../stores.ts";
import { writeBigInt } from "./memory-list.ts";
import type { MemoryShowOptions } from "./store-options.ts";
import { tellBroken } from "./tell-broken.ts";
import { withMemory } from "./with-memory.ts";

/** Shows one note: rendered at a terminal, and as its file says it elsewhere. */
export async function memoryShowCommand(options: MemoryShowOptions, io: Io, stores: Stores): Promise<number> {
  const { stored, published } = await withMemory(io, stores, async (memory, project) => {
    tellBroken(await memory.countBroken(), io);
    const found = await memory.get(options.note);
    const publications = await readPublications(project, stores, found.note.run_id);
    return { stored: found, published: publications.published.get(found.note.id) };
  });
  if (options.json) {
    const { path, sha256, note } = stored;
    writeJson(io, { path, sha256, edited: isEdited(stored, published), note: JSON.parse(JSON.stringify(note, writeBigInt)) as unknown });
  } else if (io.isTty.stdout) writeOut(io, noteLines(stored, published, io.now(), painterFor(io.color.stdout)).join("\n"));
  else writeOut(io, plainBlock(stored.text));
  return 0;
}

/** Null where no journal here tells of its publication. */
function isEdited({ sha256 }: StoredNote, published: PublishedNote | undefined): boolean | null {
  return published === undefined ? null : published.sha256 !== sha256;
}

function noteLines(stored: StoredNote, published: PublishedNote | undefined, now: Date, paint: Paint): string[] {
  const { note, path } = stored;
  const facts = [note.type, note.status, describeAge(note.created, now)].filter((each) => each !== undefined && each !== "");
  const related = note.related.map(({ kind, to }) => `${kind} ${to}`).join(", ");
  const rows = [
    ["id", note.id],
    ["file", `memory/${path}`],
    ["by", [note.created_by, note.run_id].filter((each) => each !== "").join(" of run ")],
    ["related", related],
    ["superseded by", note.superseded_by],
    ["sources", note.sources.map((source) => source.slice(0, 12)).join(", ")],
  ].filter(([, value]) => value !== "");
  return [
    `${paint("strong", plainLine(note.title))}  ${paint("dim", plainLine(facts.join(", ")))}`,
    ...(isEdited(stored, published) === true ? [paint("warn", "edited since published")] : []),
    ...rows.map(([name = "", value = ""]) => paint("dim", plainLine(`${name.padEnd(14)}${value}`))),
    "",
    ...markdownLines([note.preamble, ...note.sections.map(({ heading, body }) => `## ${heading}\n\n${body}`)].join("\n\n"), paint),
  ];
}
