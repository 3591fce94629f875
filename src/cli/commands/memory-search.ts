import { describeAge } from "../../domain/age.ts";
import { HypoError } from "../../domain/errors.ts";
import type { ExplainedHit, SearchResult } from "../../memory/search/search-notes.ts";
import { isDay, type Filter } from "../../memory/search/parse-query.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor, type Paint } from "../output/color.ts";
import { plainLine } from "../output/plain-text.ts";
import type { Project } from "../project/project.ts";
import { findEdited } from "../runs/edited-notes.ts";
import { findRun } from "../runs/find-run.ts";
import type { Stores } from "../stores.ts";
import type { MemoryFilterOptions, MemorySearchOptions } from "./store-options.ts";
import { tellBroken } from "./tell-broken.ts";
import { withMemory } from "./with-memory.ts";

/** Searches the notes of all runs. */
export async function memorySearchCommand(options: MemorySearchOptions, io: Io, stores: Stores): Promise<number> {
  const { query, limit, explain } = options;
  const { result, edited } = await withMemory(io, stores, async (memory, project) => {
    const found = await memory.find({ text: query, limit, filters: await readFilters(options, project) });
    tellBroken(await memory.countBroken(), io);
    return { result: found, edited: await findEdited(found.hits, project, stores) };
  });
  if (options.json) {
    const hits = result.hits.map((hit) => hitEntry(hit, edited.has(hit.id), explain));
    writeJson(io, { query, hits, corrections: result.corrections });
  } else showHits(result, edited, explain, io);
  return 0;
}

/**
 * Filters as the search takes them.
 *
 * @throws HypoError `usage` for what is no day; `run_unknown` where `last` names no run.
 */
export async function readFilters(options: MemoryFilterOptions, project: Project): Promise<Filter[]> {
  const { type, status, source, before, after, relatedTo } = options;
  for (const [name, day] of Object.entries({ before, after })) {
    if (day !== undefined && !isDay(day)) {
      throw new HypoError("usage", `--${name} was given ${JSON.stringify(day)}, and needs a day.`, {
        hint: `Example: --${name} 2026-03-15`,
      });
    }
  }
  const run = options.run === "last" ? (await findRun(project, "last")).id : options.run;
  const given = { type, status, run, source, before, after, related: relatedTo };
  return Object.entries(given).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field: field as Filter["field"], value, excluded: false }],
  );
}

function hitEntry({ explanation, file: _file, ...hit }: ExplainedHit, edited: boolean, explain: boolean): Record<string, unknown> {
  return explain ? { ...hit, edited, explanation } : { ...hit, edited };
}

function showHits({ hits, corrections }: SearchResult, edited: ReadonlySet<string>, explain: boolean, io: Io): void {
  const instead = corrections.map(({ word, instead }) => `${plainLine(word)} -> ${plainLine(instead)}`).join(", ");
  if (hits.length === 0) {
    writeErr(io, instead === "" ? "Nothing found." : `Nothing found. Did you mean: ${instead}?`);
    return;
  }
  if (instead !== "") writeErr(io, `No note holds these words as written, so others were searched for: ${instead}`);
  const paint = painterFor(io.color.stdout);
  writeOut(io, hits.flatMap((hit) => hitLines(hit, { explain, edited: edited.has(hit.id) }, io.now(), paint)).join("\n"));
}

function hitLines(hit: ExplainedHit, { explain, edited }: { explain: boolean; edited: boolean }, now: Date, paint: Paint): string[] {
  const facts = [hit.type, hit.status, describeAge(hit.created, now)].filter((each) => each !== undefined && each !== "");
  const run = hit.run === "" ? "" : `  run ${plainLine(hit.run)}`;
  const edit = edited ? paint("warn", "  edited since published") : "";
  return [
    `${paint("strong", plainLine(hit.title))}  ${paint("dim", plainLine(facts.join(", ")))}${edit}`,
    `  ${markHits(plainLine(hit.snippet), paint)}`,
    paint("dim", `  ${plainLine(hit.id)}  memory/${plainLine(hit.path)}${run}`),
    ...(explain ? explanationLines(hit).map((line) => paint("dim", line)) : []),
    "",
  ];
}

/** The marks around what was asked for become colour where there is colour. */
function markHits(snippet: string, paint: Paint): string {
  return paint("strong", "x") === "x" ? snippet : snippet.replace(/\*\*(.+?)\*\*/g, (_, word: string) => paint("accent", word));
}

function explanationLines({ score, explanation }: ExplainedHit): string[] {
  const words = explanation.terms.map((term) => `${plainLine(term.word)} ${term.score.toFixed(2)}`);
  const neighbours = `${explanation.neighbours < 0 ? "-" : "+"} ${Math.abs(explanation.neighbours).toFixed(2)} from notes like it`;
  return [`  score ${score.toFixed(2)} = ${words.length === 0 ? "0" : words.join(" + ")} ${neighbours}`];
}
