import type BetterSqlite3 from "better-sqlite3";
import { HypoError } from "../domain/errors.ts";
import type { IndexView } from "./index/live-index.ts";

export interface NotePlace {
  id: string;
  path: string;
}

const SHOWN = 5;

/**
 * The note that a person names by its id or an unambiguous beginning of it.
 *
 * @throws HypoError `not_found`; `note_broken` where a file that is named after the id cannot be read.
 */
export function findNote({ reader }: IndexView, idOrPrefix: string): NotePlace {
  const found = reader
    .prepare<[string, string, string, number], NotePlace>(
      "SELECT id, path FROM notes WHERE id >= ? AND substr(id, 1, length(?)) = ? AND duplicate = 0 ORDER BY id LIMIT ?",
    )
    .all(idOrPrefix, idOrPrefix, idOrPrefix, SHOWN + 1);
  const [first, ...others] = found;
  if (idOrPrefix !== "" && first !== undefined && (others.length === 0 || first.id === idOrPrefix)) return first;
  const broken = first === undefined && idOrPrefix !== "" ? findBroken(reader, idOrPrefix) : undefined;
  if (broken !== undefined) {
    throw new HypoError("note_broken", `memory/${broken.path}, line ${broken.line}: ${broken.problem}.`, {
      hint: "Mend the note and try again.",
    });
  }
  if (first === undefined || idOrPrefix === "") {
    throw new HypoError("not_found", `No note has the id ${JSON.stringify(idOrPrefix)}.`, {
      hint: "`hypo memory list` and `hypo memory search` show ids.",
    });
  }
  const ids = found.slice(0, SHOWN).map(({ id }) => id);
  throw new HypoError("not_found", `Several notes have ids that begin with ${idOrPrefix}: ${ids.join(", ")}.`, {
    hint: "Give more of the id.",
  });
}

/** A broken file whose name says that it is the note. */
function findBroken(reader: BetterSqlite3.Database, idOrPrefix: string): { path: string; line: number; problem: string } | undefined {
  return reader
    .prepare<[string, string], { path: string; line: number; problem: string }>(
      "SELECT path, line, problem FROM files WHERE problem IS NOT NULL AND (instr(path, '-' || ?) OR instr(path, '/' || ?)) ORDER BY path",
    )
    .get(idOrPrefix, idOrPrefix);
}
