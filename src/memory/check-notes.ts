import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { IndexView } from "./index/live-index.ts";
import type { RuleCheck } from "./rules/check-rules.ts";

/** A file of memory/ that is not searched as it stands. `path` is below memory/, lines count from 1. */
export interface BrokenNote {
  path: string;
  line: number;
  message: string;
}

/** A relation to a note that is not there. */
interface DanglingRelation {
  path: string;
  id: string;
  kind: string;
  to: string;
}

/** What stands in the files, whoever wrote it. */
interface Faults {
  notes: number;
  broken: BrokenNote[];
  dangling: DanglingRelation[];
}

export type MemoryCheck = Faults & RuleCheck;

interface Duplicate {
  path: string;
  id: string;
  owner: string;
}

/** What the index knows to be wrong with the files. */
export function readFaults({ reader }: IndexView): Faults & { duplicates: Duplicate[] } {
  return {
    notes: reader.prepare<[], number>("SELECT count(*) FROM notes WHERE duplicate = 0").pluck().get() ?? 0,
    broken: reader
      .prepare<[], BrokenNote>("SELECT path, line, problem AS message FROM files WHERE problem IS NOT NULL ORDER BY path")
      .all(),
    duplicates: reader
      .prepare<[], Duplicate>(
        `SELECT n.path, n.id, o.path AS owner FROM notes n JOIN notes o ON o.id = n.id AND o.duplicate = 0
         WHERE n.duplicate = 1 ORDER BY n.path`,
      )
      .all(),
    dangling: reader
      .prepare<[], DanglingRelation>(
        `SELECT n.path, n.id, r.kind, r.target AS "to" FROM relations r JOIN notes n ON n.note = r.note
         WHERE n.duplicate = 0 AND NOT EXISTS (SELECT 1 FROM notes t WHERE t.id = r.target)
         ORDER BY n.path, r.kind, r.target`,
      )
      .all(),
  };
}

/** How many files of memory/ are not searched as they stand. */
export function countBroken({ reader }: IndexView): number {
  const count = (sql: string) => reader.prepare<[], number>(sql).pluck().get() ?? 0;
  return count("SELECT count(*) FROM files WHERE problem IS NOT NULL") + count("SELECT count(*) FROM notes WHERE duplicate = 1");
}

/** Names a note whose id another file holds, with the line of the id. */
export async function describeDuplicate(root: string, { path, id, owner }: Duplicate): Promise<BrokenNote> {
  const text = await readFile(join(root, path), "utf8").catch(() => "");
  const line = text.split(/\r\n?|\n/).findIndex((line) => /^["']?id["']?\s*:/.test(line)) + 1;
  return { path, line: Math.max(1, line), message: `the id ${id} is also that of ${owner}; give this note an id of its own` };
}
