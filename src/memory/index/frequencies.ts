/**
 * In how many notes each token occurs, by its number: 32-bit counts in pages, in the byte order of this machine.
 * Tokens are numbered in the order in which they first came, so that common ones share a few pages, and a search that
 * weighs thousands of tokens reads some dozens of rows.
 */
import type BetterSqlite3 from "better-sqlite3";
import { prepareOnce } from "./statements.ts";

const PAGE = 512;

export type FrequencyPages = Map<number, Uint32Array>;

/** Reads counts; `pages` remembers what was read and must be emptied when the index changes. */
export function openFrequencies(database: BetterSqlite3.Database, pages: FrequencyPages): (token: number) => number {
  return (token) => {
    const number = Math.floor(token / PAGE);
    let page = pages.get(number);
    if (page === undefined) pages.set(number, (page = readPage(database, number)));
    return page[token % PAGE] ?? 0;
  };
}

/** Adds to the counts of tokens. */
export function changeFrequencies(database: BetterSqlite3.Database, changes: ReadonlyMap<number, number>): void {
  const store = database.prepare("INSERT OR REPLACE INTO frequencies VALUES (?, ?)");
  const byPage = Map.groupBy(changes, ([token]) => Math.floor(token / PAGE));
  for (const [number, entries] of [...byPage].sort(([a], [b]) => a - b)) {
    const page = readPage(database, number);
    for (const [token, change] of entries) page[token % PAGE] = Math.max(0, (page[token % PAGE] ?? 0) + change);
    store.run(number, Buffer.from(page.buffer));
  }
}

function readPage(database: BetterSqlite3.Database, number: number): Uint32Array {
  const bytes = prepareOnce<{ counts: Buffer }>(database, "SELECT counts FROM frequencies WHERE page = ?").get(number)?.counts;
  const page = new Uint32Array(PAGE);
  // Copied, since a row's bytes need not be aligned as 32-bit numbers are.
  if (bytes !== undefined) new Uint8Array(page.buffer).set(bytes.subarray(0, page.byteLength));
  return page;
}
