import type BetterSqlite3 from "better-sqlite3";
import { HypoError } from "../../../domain/errors.ts";
import type { SourceId } from "../../../domain/ids.ts";
import type { SourceRecord } from "../../../domain/source.ts";
import { isDamage } from "../../../files/sqlite-errors.ts";
import { addressKey } from "../canonical-url.ts";
import type { DamagedSource, SourceFolders } from "../source-folders.ts";
import { bandsOf, compareSignatures, NEARLY_SAME } from "../text-signature.ts";
import { followFolders } from "./follow-folders.ts";
import { IndexFile } from "./index-file.ts";
import { countSources, putRow, removeRow } from "./index-rows.ts";
import { spaceOut } from "./space-out.ts";

/** What a look-up in the index gives: sources in order, and how many there are beyond the limit. */
export interface FoundSources {
  found: FoundSource[];
  total: number;
}

/** A source, and the state its metadata was in when it was checked and indexed. */
interface FoundSource {
  id: SourceId;
  stamp: string;
}

/** A source with nearly the same text as another. */
export interface SimilarSource {
  id: SourceId;
  /** Estimated share of common text, 0 to 1. */
  similarity: number;
}

export interface SourceIndexOptions {
  /** Path of `sources.sqlite`. */
  path: string;
  folders: SourceFolders;
  onDamage: (damaged: DamagedSource) => void;
}

/** How changes of the folders are told to the index within the lock. */
export interface IndexWriter {
  put: (record: SourceRecord) => Promise<void>;
  remove: (id: SourceId) => void;
}

/** `sources.sqlite`: what the folders hold, ready to be listed, searched and compared; and the lock of the store. */
export class SourceIndex {
  readonly #file: IndexFile;
  readonly #options: SourceIndexOptions;
  #followed: Promise<void> | undefined;

  constructor(options: SourceIndexOptions) {
    this.#options = options;
    this.#file = new IndexFile(options.path);
  }

  /** Runs work on the folders while no other process writes them. */
  async write<T>(work: (index: IndexWriter) => Promise<T>): Promise<T> {
    const { folders } = this.#options;
    try {
      return await this.#file.locked((database) =>
        work({
          put: async (record) =>
            putRow(database, { record, stamp: folders.stamp(record.id) ?? "", text: await folders.readText(record.id) }),
          remove: (id) => removeRow(database, id),
        }),
      );
    } catch (error) {
      if (!isDamage(error)) throw error;
      await this.#file.discard();
      // What was half done in the folders is found there: nothing is lost but this time.
      throw new HypoError("storage_failed", `The index ${this.#options.path} was damaged and is built anew.`, {
        hint: "Try again.",
        cause: error,
      });
    }
  }

  /** The most recently retrieved sources. */
  async newest(limit: number): Promise<FoundSources> {
    return await this.#lookUp((database) => ({
      found: database.prepare("SELECT id, stamp FROM sources ORDER BY retrieved_at DESC, id LIMIT ?").all(limit) as FoundSource[],
      total: countSources(database),
    }));
  }

  /** Sources that hold all words (or words that begin so), best match first. */
  async search(query: string, limit: number): Promise<FoundSources> {
    const match = toMatch(query);
    if (match === "") return { found: [], total: 0 };
    return await this.#lookUp((database) => ({
      found: database
        .prepare("SELECT id, stamp FROM words JOIN sources ON source = words.rowid WHERE words MATCH ? ORDER BY rank, id LIMIT ?")
        .all(match, limit) as FoundSource[],
      total: Number(database.prepare("SELECT count(*) FROM words WHERE words MATCH ?").pluck().get(match)),
    }));
  }

  /** The source most recently retrieved from an address. */
  async findByAddress(url: string): Promise<SourceId | undefined> {
    await this.#followOnce();
    const sql = "SELECT id FROM addresses JOIN sources USING (source) WHERE key = ? ORDER BY addresses.retrieved_at DESC LIMIT 1";
    const found = await this.#file.read((database) => database.prepare(sql).pluck().get(addressKey(url)));
    return typeof found === "string" ? found : undefined;
  }

  /** Sources with nearly the same text, the most alike first. */
  async findSimilar(record: SourceRecord): Promise<SimilarSource[]> {
    const signature = record.text?.signature;
    if (signature === undefined) return [];
    await this.#followOnce();
    const candidates = await this.#file.read((database) => readCandidates(database, signature));
    return candidates
      .filter(({ id }) => id !== record.id)
      .map((candidate) => ({ id: candidate.id, similarity: compareSignatures(signature, candidate.signature) }))
      .filter(({ similarity }) => similarity >= NEARLY_SAME)
      .toSorted((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
  }

  /** Asks the index once it is up to the folders; where the file proves to be damaged on the way, it is built anew first. */
  async #lookUp(query: (database: BetterSqlite3.Database) => FoundSources): Promise<FoundSources> {
    try {
      await this.follow();
      return await this.#file.read(query);
    } catch (error) {
      if (!isDamage(error)) throw error;
      await this.#file.discard();
      await this.follow();
      return await this.#file.read(query);
    }
  }

  /** Brings the index up to the folders. */
  async follow(): Promise<void> {
    const following = followFolders(this.#file, this.#options.folders, this.#options.onDamage);
    this.#followed = following;
    await following;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** Look-ups on the way of a read need what was there before this process; its own writes are in the index already. */
  async #followOnce(): Promise<void> {
    await (this.#followed ?? this.follow());
  }
}

function readCandidates(database: BetterSqlite3.Database, signature: string): { id: SourceId; signature: string }[] {
  const bands = bandsOf(signature);
  const marks = bands.map(() => "?").join(", ");
  const rows = database
    .prepare(`SELECT DISTINCT id, signature FROM bands JOIN sources USING (source) WHERE band IN (${marks}) LIMIT 1000`)
    .all(...bands);
  return rows as { id: SourceId; signature: string }[];
}

/** Every word must occur; quoted, so that nothing in it is taken for FTS5 syntax. */
function toMatch(query: string): string {
  const words = query.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.map((word) => `"${spaceOut(word)}"*`).join(" AND ");
}
