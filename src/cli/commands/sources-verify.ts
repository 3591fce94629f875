import { messageOf } from "../../domain/errors.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { plainLine } from "../output/plain-text.ts";
import { findProject } from "../project/project.ts";
import type { Sources, Stores } from "../stores.ts";
import type { SourcesVerifyOptions } from "./store-options.ts";
import { unknownSource } from "./sources.ts";

interface Problem {
  source: string;
  problem: string;
}

/** Checks the bytes and kept texts of sources against their hashes, and that their metadata can be read. Exit 1 where not. */
export async function sourcesVerifyCommand(options: SourcesVerifyOptions, io: Io, stores: Stores): Promise<number> {
  const problems: Problem[] = [];
  const project = await findProject(io.cwd);
  let checked = 0;
  if (project) {
    const sources = await stores.openSources(project.state, (line) => problems.push({ source: "", problem: line }));
    try {
      for (const id of await listIds(options.sources, sources)) {
        checked += 1;
        problems.push(...(await checkOne(id, sources)));
      }
    } finally {
      await sources.close();
    }
  } else if (options.sources[0] !== undefined) throw unknownSource(options.sources[0]);
  if (options.json) writeJson(io, { checked, problems });
  else {
    for (const { source, problem } of problems) writeOut(io, plainLine(`${source.slice(0, 12)}  ${problem}`.trim()));
    writeErr(io, `${checked} sources checked, ${problems.length === 0 ? "none damaged" : `${problems.length} problems`}.`);
  }
  return problems.length > 0 ? 1 : 0;
}

async function listIds(given: readonly string[], sources: Sources): Promise<string[]> {
  if (given.length === 0) return (await sources.list()).map(({ id }) => id);
  const ids: string[] = [];
  for (const each of given) {
    const found = await sources.find(each);
    if (found === undefined) throw unknownSource(each);
    ids.push(found.id);
  }
  return ids;
}

async function checkOne(id: string, sources: Sources): Promise<Problem[]> {
  try {
    return (await sources.check(id)).map((problem) => ({ source: id, problem }));
  } catch (error) {
    return [{ source: id, problem: messageOf(error) }];
  }
}
