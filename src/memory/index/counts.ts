/**
 * A count for each of many numbers in a row: in how many notes each token occurs, and how long each note is. 32-bit counts
 * in pages, in the byte order of this machine. Tokens are numbered in the order in which they first came, so that common
 * ones are close together, and a search that weighs thousands of tokens reads a stretch or two.
 */
import type BetterSqlite3 from "better-sqlite3";
import { damagedRow } from "../../files/sqlite-errors.ts";
import { prepareOnce } from "./statements.ts";

const PAGE = 512;
const PAGE_BYTES = PAGE * Uint32Array.BYTES_PER_ELEMENT;
/** Pages that are read at once: a query for each takes longer than reading a few too many. */
const STRETCH = 64;

type Table = "frequencies" | "lengths";

/** Reads counts, and remembers what it has read. */
export function openCounts(database: BetterSqlite3.Database, table: Table): (number: number) => number {
  const known = new Map<number, Uint32Array>();
  const size = STRETCH * PAGE;
  return (number) => {
    const at = Math.floor(number / size);
    let counts = known.get(at);
    if (counts === undefined) known.set(at, (counts = readPages(database, table, at * STRETCH, STRETCH)));
    return counts[number % size] ?? 0;
  };
}

/** All counts up to a number, itself left out. */
export function readCounts(database: BetterSqlite3.Database, table: Table, size: number): Uint32Array {
  return readPages(database, table, 0, Math.ceil(size / PAGE));
}

function readPages(database: BetterSqlite3.Database, table: Table, first: number, pages: number): Uint32Array {
  const counts = new Uint32Array(pages * PAGE);
  const bytes = new Uint8Array(counts.buffer);
  const rows = prepareOnce<{ page: number; counts: Buffer }>(database, `SELECT page, counts FROM ${table} WHERE page >= ? AND page < ?`);
  // Copied, since a row's bytes need not be aligned as 32-bit numbers are.
  for (const row of rows.all(first, first + pages)) {
    if (row.counts.length !== PAGE_BYTES) throw damagedRow(`${table}: a page`);
    bytes.set(row.counts, (row.page - first) * PAGE_BYTES);
  }
  return counts;
}

/** Adds to counts. */
export function changeCounts(database: BetterSqlite3.Database, table: Table, changes: ReadonlyMap<number, number>): void {
  const store = prepareOnce(database, `INSERT OR REPLACE INTO ${table} VALUES (?, ?)`);
  const byPage = Map.groupBy(changes, ([number]) => Math.floor(number / PAGE));
  for (const [at, entries] of [...byPage].sort(([a], [b]) => a - b)) {
    const page = readPages(database, table, at, 1);
    for (const [number, change] of entries) page[number % PAGE] = Math.max(0, (page[number % PAGE] ?? 0) + change);
    store.run(at, Buffer.from(page.buffer));
  }
}
