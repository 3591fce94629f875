import { setTimeout as sleep } from "node:timers/promises";
import type BetterSqlite3 from "better-sqlite3";
import { HypoError } from "../../domain/errors.ts";
import { OneAtATime } from "../../domain/one-at-a-time.ts";
import { storageError } from "../../files/atomic.ts";
import { identifyFile } from "../../files/index-database.ts";
import { isBusy, isDamage, isWriteFailure } from "../../files/sqlite-errors.ts";
import { loadLanguages, type LanguageTable } from "../text/languages.ts";
import { openTables, type IndexTables } from "./index-tables.ts";
import { followFiles, type Followed, type FollowOptions } from "./follow-files.ts";
import { openIndex, replaceIndex, whyDamaged, type OpenIndex } from "./open-index.ts";

export interface LiveIndexOptions {
  /** Path of `index.sqlite`. */
  path: string;
  /** The folder memory/. */
  root: string;
  say: (line: string) => void;
  now: () => Date;
}

/** What a query gets to read. */
export interface IndexView {
  reader: BetterSqlite3.Database;
  languages: LanguageTable;
  /** What searches read first, read once as long as the index stays as it is. */
  tables: () => IndexTables;
}

export type Progress = (done: number, total: number) => void;

/** The index as a caller sees it: opened when first needed, following the files, mended when damaged. */
export interface LiveIndex {
  /** Follows the files, then runs a query on what is committed. The query is synchronous. */
  read<Result>(query: (view: IndexView) => Result): Promise<Result>;
  /** Indexes every note from nothing. */
  rebuild(onProgress?: Progress): Promise<void>;
  /** Follows one file at once, its path below memory/; where another process is indexing, the next read does. */
  catchUp(path: string): Promise<void>;
  /** The next read looks at all files, however lately that was done: what the index says of them has proved old. */
  lookAgain(): void;
  close(): Promise<void>;
}

const PATIENCE_MS = 3000;
/** How long to wait for another process that builds the first index, or for a rebuild's turn. */
const LONG_PATIENCE_MS = 120_000;
/** Up to so many files are looked at before every read; more than that in one part of twenty of all time. */
const CHEAP_FILES = 500;
const SHARE = 20;
const NEVER_FOLLOWED = { at: Number.NEGATIVE_INFINITY, lookedMs: 0, files: 0 };

export function makeLiveIndex(options: LiveIndexOptions): LiveIndex {
  let open: OpenIndex | undefined;
  let languages: Promise<LanguageTable> | undefined;
  const turns = new OneAtATime();
  let followed = NEVER_FOLLOWED;
  let tables: { version: string; open: IndexTables } | undefined;

  const loadOnce = () => (languages ??= loadLanguages());

  /** One after the other: two transactions cannot run on one connection. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => turns.run(options.path, work);

  async function openCurrent(): Promise<OpenIndex> {
    if (open !== undefined && identifyFile(options.path) !== open.file) dropIndex();
    open ??= await openIndex(options.path, sleep);
    return open;
  }

  function dropIndex(): void {
    open?.close();
    open = undefined;
    followed = NEVER_FOLLOWED;
    tables = undefined;
  }

  async function follow(patience: number, how: Pick<FollowOptions, "only" | "fromNothing" | "onProgress"> = {}): Promise<Followed> {
    const index = await openCurrent();
    const { root, now } = options;
    const isFirst = index.reader.prepare("SELECT 1 FROM files LIMIT 1").get() === undefined;
    const result = await followFiles({
      root,
      reader: index.reader,
      openWriter: index.openWriter,
      loadLanguages: loadOnce,
      now,
      beginWriting: () => beginWriting(index.openWriter(), isFirst ? LONG_PATIENCE_MS : patience),
      ...how,
    });
    if (result.outcome === "busy") followed = NEVER_FOLLOWED;
    else if (how.only === undefined) followed = { at: performance.now(), ...result };
    tellRebuilt(index, options.say);
    return result;
  }

  /** Runs work on the index; where that turns out damaged, once more on a new one. */
  async function mendAndRetry<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (isWriteFailure(error)) throw storageError(options.path, error);
      if (!isDamage(error)) throw error;
      dropIndex();
      open = await replaceIndex(options.path, whyDamaged(error));
      return work();
    }
  }

  /** Opened anew when any process has changed the index. */
  function currentTables(reader: BetterSqlite3.Database): IndexTables {
    const version = String(reader.pragma("data_version", { simple: true }));
    if (tables?.version !== version) tables = { version, open: openTables(reader) };
    return tables.open;
  }

  function isDue(): boolean {
    return followed.files <= CHEAP_FILES || performance.now() - followed.at > SHARE * followed.lookedMs;
  }

  return {
    read: (query) =>
      inTurn(() =>
        mendAndRetry(async () => {
          const table = await loadOnce();
          await openCurrent();
          if (isDue() && (await follow(PATIENCE_MS)).outcome === "busy") {
            options.say("Another process is indexing memory; the newest notes may be missing from this answer.");
          }
          const { reader } = await openCurrent();
          return reader.transaction(() => query({ reader, languages: table, tables: () => currentTables(reader) }))();
        }),
      ),
    rebuild: (onProgress) =>
      inTurn(() =>
        mendAndRetry(async () => {
          if ((await follow(LONG_PATIENCE_MS, { fromNothing: true, onProgress })).outcome !== "busy") return;
          throw new HypoError("storage_failed", "The memory index could not be rebuilt: another process is writing it.", {
            hint: "Wait until the other hypo process has finished, then run `hypo memory rebuild` again.",
          });
        }),
      ),
    catchUp: (path) => inTurn(() => mendAndRetry(async () => void (await follow(PATIENCE_MS, { only: [path] })))),
    lookAgain: () => void (followed = NEVER_FOLLOWED),
    close: () => inTurn(async () => dropIndex()),
  };
}

/** Takes the write lock without blocking the process while another holds it. */
async function beginWriting(writer: BetterSqlite3.Database, patience: number): Promise<boolean> {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      writer.exec("BEGIN IMMEDIATE");
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() >= deadline) return false;
      await sleep(25);
    }
  }
}

function tellRebuilt(index: OpenIndex, say: (line: string) => void): void {
  const why = index.rebuilt;
  if (why === undefined) return;
  index.rebuilt = undefined;
  const notes = index.reader.prepare("SELECT notes FROM totals").pluck().get();
  if (why !== "was missing" || notes !== 0) say(`The memory index ${why}; it was built anew from ${String(notes)} notes.`);
}
