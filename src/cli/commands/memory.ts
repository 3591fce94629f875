import type { MemoryHit, MemoryQuery } from "../../domain/ports.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { painterFor, type Paint } from "../output/color.ts";
import { plainLine } from "../output/plain-text.ts";
import { findProject } from "../project/project.ts";
import type { Stores } from "../stores.ts";
import type { MemorySearchOptions } from "./options.ts";

/** Searches the notes of all runs. */
export async function memorySearchCommand(options: MemorySearchOptions, io: Io, stores: Stores): Promise<number> {
  const project = await findProject(io.cwd);
  const { query, limit } = options;
  const hits = project ? await searchIn(project.state, { text: query, limit }, io, stores) : [];
  if (options.json) writeJson(io, { query, hits });
  else if (hits.length === 0)
    writeErr(io, project ? "Nothing found." : "There is no hypo project here or above, so there is nothing to search.");
  else writeOut(io, hits.flatMap((hit) => hitLines(hit, painterFor(io.color.stdout))).join("\n"));
  return 0;
}

async function searchIn(state: string, query: MemoryQuery, io: Io, stores: Stores): Promise<MemoryHit[]> {
  const memory = await stores.openMemory(state, (line) => writeErr(io, plainLine(line)));
  try {
    return await memory.search(query);
  } finally {
    await memory.close();
  }
}

function hitLines(hit: MemoryHit, paint: Paint): string[] {
  return [
    `${paint("strong", plainLine(hit.title))}  ${paint("dim", `${hit.type}, ${hit.status}`)}`,
    `  ${plainLine(hit.snippet)}`,
    paint("dim", `  ${hit.id}  memory/${plainLine(hit.path)}  run ${hit.run}`),
    "",
  ];
}
