import type { IndexTables } from "../index/index-tables.ts";
import { unpackTokens } from "../index/note-tokens.ts";
import { prepareOnce } from "../index/statements.ts";
import type { Condition } from "./filters.ts";
import type { NoteTokens } from "./score.ts";

export interface Candidate extends NoteTokens {
  note: number;
  id: string;
}

/** Reads a note for ranking; undefined where it does not meet the condition. */
export function openCandidates({ reader, known }: IndexTables, condition: Condition): (note: number) => Candidate | undefined {
  const rowOf = prepareOnce<Omit<Candidate, "tokens"> & { packed: Uint8Array }>(
    reader,
    `SELECT n.note, n.id, n.title_length AS titleLength, n.body_length AS bodyLength, v.tokens AS packed
     FROM notes n JOIN vectors v ON v.note = n.note WHERE n.note = ? AND ${condition.sql}`,
  );
  return (note) => {
    const row = rowOf.get(note, ...condition.values);
    return row === undefined ? undefined : Object.assign(row, { tokens: unpackTokens(row.packed, known) });
  };
}
