import { ExitCode } from "../../domain/errors.ts";
import { countDifferentDocuments } from "../../domain/near-duplicate.ts";
import type { SourceStore } from "../../domain/ports.ts";
import type { MemoryCheck } from "../../memory/check-notes.ts";
import type { Witnesses } from "../../memory/rules/check-rules.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor, type Paint } from "../output/color.ts";
import { plainLine } from "../output/plain-text.ts";
import { readPublications } from "../runs/published-notes.ts";
import type { Stores } from "../stores.ts";
import type { MemoryCheckOptions } from "./store-options.ts";
import { withMemory } from "./with-memory.ts";

/** Checks every note; exit code 1 where one has to be mended. Edits of published notes are shown and no fault. */
export async function memoryCheckCommand(options: MemoryCheckOptions, io: Io, stores: Stores): Promise<number> {
  const { check, unread } = await withMemory(io, stores, async (memory, project) => {
    const { published, unread } = await readPublications(project, stores);
    const sources = await stores.openSources(project.state, (line) => writeErr(io, plainLine(line)));
    try {
      return { check: await memory.check({ published, countIndependent: countWith(sources) }), unread };
    } finally {
      await sources.close();
    }
  });
  const faults = check.broken.length + check.dangling.length + check.rules.length;
  if (options.json) writeJson(io, { ...check, damaged_runs: unread });
  else {
    for (const run of unread) writeErr(io, `Left out: the journal of ${run} cannot be read, so edits of its notes are not known.`);
    writeOut(io, checkLines(check, faults, painterFor(io.color.stdout)).join("\n"));
  }
  return faults === 0 ? ExitCode.ok : ExitCode.failed;
}

/** Evidence counts where its source is here with the very text that was cited; copies of a document count once. */
function countWith(sources: Pick<SourceStore, "find" | "text">): Witnesses["countIndependent"] {
  return async (evidence) => {
    const cited = new Map(evidence.map(({ source, text_sha256 }) => [source, text_sha256]));
    const documents = await Promise.all(
      Array.from(cited, async ([id, hash]) => {
        const source = await sources.find(id);
        const isCited = source?.id === id && source.text?.sha256 === hash;
        return isCited ? [{ canonical: source.canonical, text: (await sources.text(id)) ?? "" }] : [];
      }),
    );
    return countDifferentDocuments(documents.flat());
  };
}

function checkLines({ notes, broken, dangling, rules, edited }: MemoryCheck, faults: number, paint: Paint): string[] {
  const bad = [
    ...broken.map(({ path, line, message }) => `memory/${path}:${line}: ${message}`),
    ...dangling.map(({ path, kind, to }) => `memory/${path}: ${kind} ${to}, and there is no such note`),
    ...rules.map(({ path, message }) => `memory/${path}: ${message}`),
  ];
  const summary = `${notes} ${notes === 1 ? "note" : "notes"}, ${faults === 0 ? "nothing to mend" : `${faults} to mend`}`;
  return [
    ...bad.map((line) => paint("bad", plainLine(line))),
    ...edited.map(({ path, run }) => paint("warn", plainLine(`memory/${path}: edited since published by ${run}`))),
    `${summary}${edited.length === 0 ? "" : `, ${edited.length} edited since published`}.`,
  ];
}
