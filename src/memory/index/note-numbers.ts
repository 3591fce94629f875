import type BetterSqlite3 from "better-sqlite3";
import { MOST_NOTES } from "./posting-keys.ts";
import { prepareOnce } from "./statements.ts";

/** Whether so many notes may come: each takes a number that none had before, until the index is made from nothing. */
export function hasNumbersFor(notes: number, writer: BetterSqlite3.Database): boolean {
  const given = prepareOnce<{ seq: number }>(writer, "SELECT seq FROM sqlite_sequence WHERE name = 'notes'").get();
  return (given?.seq ?? 0) + notes < MOST_NOTES;
}
