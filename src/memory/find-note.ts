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
 * @throws HypoError `not_found`
 */
export function findNote({ reader }: IndexView, idOrPrefix: string): NotePlace {
  const found = reader
    .prepare<[string, string, string, number], NotePlace>(
      "SELECT id, path FROM notes WHERE id >= ? AND substr(id, 1, length(?)) = ? AND duplicate = 0 ORDER BY id LIMIT ?",
    )
    .all(idOrPrefix, idOrPrefix, idOrPrefix, SHOWN + 1);
  const [first, ...others] = found;
  if (idOrPrefix !== "" && first !== undefined && (others.length === 0 || first.id === idOrPrefix)) return first;
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
