import type BetterSqlite3 from "better-sqlite3";
import type { SourceId } from "../../../domain/ids.ts";
import type { SourceRecord } from "../../../domain/source.ts";
import { addressKey } from "../canonical-url.ts";
import { bandsOf } from "../text-signature.ts";
import { spaceOut } from "./space-out.ts";

/** A source as it stands in its folder. */
export interface IndexedSource {
  record: SourceRecord;
  /** Which state of the metadata file this is. */
  stamp: string;
  /** Text that is kept since something cites it or a person added it. */
  text: string | undefined;
}

/** Puts a source into the index, in place of what was known of it. */
export function putRow(database: BetterSqlite3.Database, { record, stamp, text }: IndexedSource): void {
  removeRow(database, record.id);
  const newest = record.retrievals.at(-1)?.retrieved_at ?? "";
  const { lastInsertRowid: source } = database
    .prepare("INSERT INTO sources (id, stamp, retrieved_at, signature) VALUES (?, ?, ?, ?)")
    .run(record.id, stamp, newest, record.text?.signature ?? null);
  const address = database.prepare("INSERT OR REPLACE INTO addresses (key, source, retrieved_at) VALUES (?, ?, ?)");
  for (const { url, final_url, retrieved_at } of record.retrievals) {
    for (const key of new Set([addressKey(url), addressKey(final_url)])) address.run(key, source, retrieved_at);
  }
  const band = database.prepare("INSERT OR IGNORE INTO bands (band, source) VALUES (?, ?)");
  for (const value of record.text?.signature === undefined ? [] : bandsOf(record.text.signature)) band.run(value, source);
  putWords(database, source, record, text);
}

/** Counted as they come and go: counting 100,000 rows takes longer than everything else of a list. */
export function countSources(database: BetterSqlite3.Database): number {
  return Number(database.prepare("SELECT sources FROM total").pluck().get());
}

export function removeRow(database: BetterSqlite3.Database, id: SourceId): void {
  database.prepare("DELETE FROM sources WHERE id = ?").run(id);
}

function putWords(database: BetterSqlite3.Database, source: number | bigint, record: SourceRecord, text: string | undefined): void {
  const { title, authors, site, doi, arxiv } = record.bibliography;
  const addresses = new Set([record.canonical, doi, arxiv, ...record.retrievals.flatMap(({ url, final_url }) => [url, final_url])]);
  database
    .prepare("INSERT INTO words (rowid, title, people, address, text) VALUES (?, ?, ?, ?, ?)")
    .run(source, ...[title ?? "", [...(authors ?? []), site ?? ""].join(" "), [...addresses].join(" "), text ?? ""].map(spaceOut));
}
