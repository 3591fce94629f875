/**
 * A count for each of many numbers in a row: in how many notes each token occurs, and how long each note is. 32-bit counts
 * in pages, in the byte order of this machine. Tokens are numbered in the order in which they first came, so that common
 * ones share a few pages, and a search that weighs thousands of tokens reads some dozens of rows.
 */
import type BetterSqlite3 from "better-sqlite3";
import { prepareOnce } from "./statements.ts";

const PAGE = 512;

type Table = "frequencies" | "lengths";

export type CountPages = Map<number, Uint32Array>;

/** Reads counts; `pages` remembers what was read and must be emptied when the index changes. */
export function openCounts(database: BetterSqlite3.Database, table: Table, pages: CountPages): (number: number) => number {
  return (number) => {
    const at = Math.floor(number / PAGE);
    let page = pages.get(at);
    if (page === undefined) pages.set(at, (page = readPage(database, table, at)));
    return page[number % PAGE] ?? 0;
  };
}

/** All counts up to a number, itself left out. */
export function readCounts(database: BetterSqlite3.Database, table: Table, size: number): Uint32Array {
  const counts = new Uint32Array(Math.ceil(size / PAGE) * PAGE);
  const bytes = new Uint8Array(counts.buffer);
  const rows = prepareOnce<{ page: number; counts: Buffer }>(database, `SELECT page, counts FROM ${table} WHERE page < ?`);
  for (const { page, counts } of rows.all(Math.ceil(size / PAGE))) bytes.set(counts, page * PAGE * Uint32Array.BYTES_PER_ELEMENT);
  return counts;
}

/** Adds to counts. */
export function changeCounts(database: BetterSqlite3.Database, table: Table, changes: ReadonlyMap<number, number>): void {
  const store = prepareOnce(database, `INSERT OR REPLACE INTO ${table} VALUES (?, ?)`);
  const byPage = Map.groupBy(changes, ([number]) => Math.floor(number / PAGE));
  for (const [at, entries] of [...byPage].sort(([a], [b]) => a - b)) {
    const page = readPage(database, table, at);
    for (const [number, change] of entries) page[number % PAGE] = Math.max(0, (page[number % PAGE] ?? 0) + change);
    store.run(at, Buffer.from(page.buffer));
  }
}

function readPage(database: BetterSqlite3.Database, table: Table, at: number): Uint32Array {
  const bytes = prepareOnce<{ counts: Buffer }>(database, `SELECT counts FROM ${table} WHERE page = ?`).get(at)?.counts;
  const page = new Uint32Array(PAGE);
  // Copied, since a row's bytes need not be aligned as 32-bit numbers are.
  if (bytes !== undefined) new Uint8Array(page.buffer).set(bytes.subarray(0, page.byteLength));
  return page;
}
