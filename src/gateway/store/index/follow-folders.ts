import type BetterSqlite3 from "better-sqlite3";
import type { SourceId } from "../../../domain/ids.ts";
import { messageOf } from "../../../domain/errors.ts";
import type { SourceRecord } from "../../../domain/source.ts";
import type { DamagedSource, Shelf, SourceFolders } from "../source-folders.ts";
import type { IndexFile } from "./index-file.ts";
import { countSources, putRow, removeRow } from "./index-rows.ts";

/** Up to so many sources, every folder is looked at; beyond, the shelves that changed and so many others in turn. */
const CHEAP_SOURCES = 2_000;
const SHELVES_IN_TURN = 1;
/** Sources read beside each other. */
const READ_AT_ONCE = 32;

type Report = (damaged: DamagedSource) => void;

/**
 * Brings the index up to what lies in the folders, whoever put it there: hypo, git or a person. A source that is added
 * or removed is seen at once; metadata changed in place by others than hypo is seen at once in small stores, and by
 * and by in large ones. A source whose metadata cannot be read is reported every time and left out.
 */
export async function followFolders(file: IndexFile, folders: SourceFolders, report: Report): Promise<void> {
  const { due, inTurn, gone } = await chooseShelves(file, await folders.shelves());
  for (const shelf of [...due, ...inTurn]) {
    // Looked at without the lock first: most often nothing has changed.
    const found = await lookAtShelf(folders, shelf, report);
    if (found !== undefined && (await differs(file, shelf, found)))
      await file.locked((database) => lookThrough(database, folders, shelf, report));
  }
  if (inTurn.length + gone.length === 0) return;
  await file.locked(async (database) => {
    for (const shelf of inTurn) markLooked(database, shelf);
    for (const name of gone) clearShelf(database, name);
  });
}

interface Choice {
  due: Shelf[];
  inTurn: Shelf[];
  gone: string[];
}

async function chooseShelves(file: IndexFile, shelves: Shelf[]): Promise<Choice> {
  const [rows, count] = await file.read((database) => [readShelves(database), countSources(database)] as const);
  const known = new Map(rows.map((row) => [row.name, row]));
  const isDue = ({ name, stamp }: Shelf): boolean => count <= CHEAP_SOURCES || known.get(name)?.stamp !== stamp;
  const inTurn = shelves
    .filter((shelf) => !isDue(shelf))
    .toSorted((a, b) => (known.get(a.name)?.looked ?? 0) - (known.get(b.name)?.looked ?? 0))
    .slice(0, SHELVES_IN_TURN);
  const present = new Set(shelves.map(({ name }) => name));
  return { due: shelves.filter(isDue), inTurn, gone: rows.map(({ name }) => name).filter((name) => !present.has(name)) };
}

/** Undefined where the shelf cannot be read, which is reported: the others can. */
async function lookAtShelf(folders: SourceFolders, { name }: Shelf, report: Report): Promise<Map<SourceId, string> | undefined> {
  try {
    return await folders.stamps(name);
  } catch (error) {
    report({ path: folders.shelfPath(name), problem: messageOf(error) });
    return undefined;
  }
}

async function differs(file: IndexFile, { name, stamp }: Shelf, found: ReadonlyMap<SourceId, string>): Promise<boolean> {
  const [known, shelf] = await file.read((database) => [readStamps(database, name), readShelfStamp(database, name)] as const);
  if (shelf !== stamp) return true;
  return found.size !== known.size || [...found].some(([id, each]) => known.get(id) !== each);
}

async function lookThrough(database: BetterSqlite3.Database, folders: SourceFolders, shelf: Shelf, report: Report): Promise<void> {
  const found = await folders.stamps(shelf.name);
  const known = readStamps(database, shelf.name);
  for (const id of known.keys()) if (!found.has(id)) removeRow(database, id);
  const changed = [...found].filter(([id, stamp]) => known.get(id) !== stamp);
  for (let from = 0; from < changed.length; from += READ_AT_ONCE) {
    const read = await Promise.all(changed.slice(from, from + READ_AT_ONCE).map(([id, stamp]) => readSource(folders, id, stamp)));
    for (const source of read) {
      if ("problem" in source) {
        removeRow(database, source.id);
        report({ path: folders.metadataPath(source.id), problem: source.problem });
      } else if (source.record !== undefined) putRow(database, { ...source, record: source.record });
    }
  }
  markLooked(database, shelf);
}

type ReadSource = { id: string; problem: string } | { record: SourceRecord | undefined; stamp: string; text: string | undefined };

async function readSource(folders: SourceFolders, id: string, stamp: string): Promise<ReadSource> {
  try {
    const [record, text] = await Promise.all([folders.readRecord(id), folders.readText(id)]);
    return { record, stamp, text };
  } catch (error) {
    return { id, problem: messageOf(error) };
  }
}

function markLooked(database: BetterSqlite3.Database, { name, stamp }: Shelf): void {
  database
    .prepare("INSERT OR REPLACE INTO shelves (name, stamp, looked) VALUES (?, ?, (SELECT coalesce(max(looked), 0) + 1 FROM shelves))")
    .run(name, stamp);
}

function clearShelf(database: BetterSqlite3.Database, name: string): void {
  for (const id of readStamps(database, name).keys()) removeRow(database, id);
  database.prepare("DELETE FROM shelves WHERE name = ?").run(name);
}

function readShelves(database: BetterSqlite3.Database): { name: string; stamp: string; looked: number }[] {
  return database.prepare("SELECT name, stamp, looked FROM shelves").all() as { name: string; stamp: string; looked: number }[];
}

function readShelfStamp(database: BetterSqlite3.Database, name: string): unknown {
  return database.prepare("SELECT stamp FROM shelves WHERE name = ?").pluck().get(name);
}

/** By id; ids of one shelf share their first two digits. */
function readStamps(database: BetterSqlite3.Database, shelf: string): Map<SourceId, string> {
  const rows = database.prepare("SELECT id, stamp FROM sources WHERE id >= ? AND id < ?").all(shelf, `${shelf}g`);
  return new Map((rows as { id: string; stamp: string }[]).map(({ id, stamp }) => [id, stamp]));
}
