import type { Config } from "../../domain/config.ts";
import { HypoError } from "../../domain/errors.ts";
import type { SourceRecord } from "../../domain/source.ts";
import { loadConfig } from "../config/load.ts";
import { writeErr, writeJson, writeOut, type Io } from "../io.ts";
import { plainLine } from "../output/plain-text.ts";
import { listAdditions } from "../material/list-additions.ts";
import { withProject } from "../project/fresh-project.ts";
import { chooseProject, type Project } from "../project/project.ts";
import type { Stores } from "../stores.ts";
import type { SourcesAddOptions } from "./store-options.ts";

interface Added {
  from: string;
  source: SourceRecord;
}
interface Refused {
  from: string;
  error: HypoError;
}

/** Stores files, all files of folders, and web pages as sources. What cannot be stored is named, and the rest goes on. */
export async function sourcesAddCommand(options: SourcesAddOptions, io: Io, stores: Stores): Promise<number> {
  const { config } = await loadConfig(io);
  const { added, refused } = await withProject(await chooseProject(io.cwd), (project) => add(options, { project, config, io, stores }));
  if (options.json) writeJson(io, { sources: added.map(toEntry), refused: refused.map(toProblem) });
  else writeResult(added, refused, io);
  return refused.length > 0 ? 1 : 0;
}

async function add(
  { what }: SourcesAddOptions,
  { project, config, io, stores }: { project: Project; config: Config; io: Io; stores: Stores },
): Promise<{ added: Added[]; refused: Refused[] }> {
  const reading = await stores.openReading(project.state, config, (line) => writeErr(io, plainLine(line)));
  const added: Added[] = [];
  const refused: Refused[] = [];
  try {
    for (const { from, add } of await listAdditions(what, config.gateway.max_bytes, io, reading)) {
      await add().then(
        (source) => void added.push({ from, source }),
        (error: unknown) => void refused.push({ from, error: asTyped(error) }),
      );
    }
  } finally {
    await reading.close();
  }
  return { added, refused };
}

function writeResult(added: readonly Added[], refused: readonly Refused[], io: Io): void {
  for (const { from, source } of added) writeOut(io, plainLine(`${source.id.slice(0, 12)}  ${source.bibliography.title ?? from}`));
  for (const { from, error } of refused) writeErr(io, plainLine(`Not added: ${from}: ${error.message}`));
  if (added.length + refused.length === 0) writeErr(io, "There are no files to add.");
}

function toEntry({ from, source }: Added): object {
  return { from, source };
}

function toProblem({ from, error }: Refused): object {
  return { from, code: error.code, message: error.message };
}

function asTyped(error: unknown): HypoError {
  if (error instanceof HypoError) return error;
  throw error;
}
