import type { IndexTables } from "../index/index-tables.ts";
import type { Condition } from "./filters.ts";
import { COLUMNS, type NoteRow, type RankedNote } from "./note-row.ts";
import type { QueryPlan } from "./plan-query.ts";
import { openCandidates } from "./read-candidate.ts";
import { readRequirements } from "./requirements.ts";

interface Newest {
  condition: Condition;
  limit: number;
}

/** Notes without regard to words, newest first, but for those that the query excludes. */
export function listNewest(tables: IndexTables, plan: QueryPlan, { condition, limit }: Newest): RankedNote[] {
  const { excluded, isMetBy } = readRequirements(plan, tables);
  const candidateOf = openCandidates(tables, condition);
  const isWanted = (note: number) => {
    const candidate = excluded?.[note] === 1 ? undefined : candidateOf(note);
    return candidate !== undefined && isMetBy(candidate);
  };
  const sql = `SELECT ${COLUMNS} FROM notes n WHERE ${condition.sql} ORDER BY n.created DESC, n.id`;
  const newest: RankedNote[] = [];
  for (const row of tables.reader.prepare<string[], NoteRow>(sql).iterate(...condition.values)) {
    if (newest.length === limit) break;
    if (isWanted(row.note)) newest.push(Object.assign(row, { score: 0, explanation: { terms: [], neighbours: 0 } }));
  }
  return newest;
}
