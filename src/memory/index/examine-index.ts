import { access } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../domain/errors.ts";
import { versionOf } from "../../files/index-database.ts";
import { INDEX } from "./schema.ts";

export type ExaminedIndex =
  | { state: "ready"; notes: number }
  /** It is made at the next search. */
  | { state: "missing" }
  /** It is made anew at the next search. */
  | { state: "outdated" }
  | { state: "damaged"; problem: string };

/** Looks at memory's index without changing it, from its first pages alone. `folder` is the project's `.hypo`. */
export async function examineIndex(folder: string): Promise<ExaminedIndex> {
  const path = join(folder, "index.sqlite");
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return { state: "missing" };
  const { default: Database } = await import("better-sqlite3");
  try {
    const index = new Database(path, { readonly: true, timeout: 500 });
    try {
      if (versionOf(index, INDEX) !== INDEX.version) return { state: "outdated" };
      return { state: "ready", notes: Number(index.prepare("SELECT count(*) FROM notes").pluck().get()) };
    } finally {
      index.close();
    }
  } catch (error) {
    return { state: "damaged", problem: messageOf(error) };
  }
}
