import type { Config } from "../../domain/config.ts";
import { HypoError } from "../../domain/errors.ts";
import type { SourceRecord } from "../../domain/source.ts";
import type { Io } from "../io.ts";
import type { Project } from "../project/project.ts";
import { stores } from "../stores.ts";
import { listAdditions } from "./list-additions.ts";

/**
 * Stores what a person gives a run with `--context`, each document once. In a folder, what cannot be read as text is
 * named and left out.
 *
 * @param what files, folders and http(s) URLs
 * @throws HypoError what a named file or page cannot be stored for, `not_found` for a folder with nothing to read
 */
export async function keepMaterial(
  what: readonly string[],
  { project, config, io, say }: { project: Project; config: Config; io: Io; say: (line: string) => void },
): Promise<SourceRecord[]> {
  if (what.length === 0) return [];
  const reading = await stores.openReading(project.state, config, say);
  const kept = new Map<string, SourceRecord>();
  try {
    for (const { from, isNamed, add } of await listAdditions(what, config.gateway.max_bytes, io, reading)) {
      try {
        const source = await add();
        kept.set(source.id, source);
      } catch (error) {
        if (isNamed || !(error instanceof HypoError)) throw error;
        say(`Left out of the material: ${from}: ${error.message}`);
      }
    }
  } finally {
    await reading.close();
  }
  if (kept.size > 0) return [...kept.values()];
  throw new HypoError("not_found", `There is nothing to read in ${what.join(", ")}.`, { hint: "Give files, folders with text, or URLs." });
}
