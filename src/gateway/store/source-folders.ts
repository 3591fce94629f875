import { lstatSync, statSync, type BigIntStats } from "node:fs";
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HypoError, messageOf, systemCodeOf } from "../../domain/errors.ts";
import type { SourceRecord } from "../../domain/source.ts";
import { storageError, writeFileAtomic } from "../../files/atomic.ts";
import { readRegularFile } from "../../files/regular-file.ts";

const ID = /^[0-9a-f]{64}$/;

/** A source whose metadata cannot be read: it is left alone and left out. */
export interface DamagedSource {
  path: string;
  problem: string;
}

/** A folder `<aa>` of sources. */
export interface Shelf {
  name: string;
  /** Changes when a source is added to it or removed. */
  stamp: string;
}

/** Files of the sources: `<aa>/<sha256>/{original,metadata.json,text.md}`. */
export class SourceFolders {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Ids of the sources on disk that begin with a prefix, sorted. */
  async ids(prefix = ""): Promise<string[]> {
    const shelves = prefix.length >= 2 ? [prefix.slice(0, 2)] : (await listNames(this.#root)).filter((name) => /^[0-9a-f]{2}$/.test(name));
    const names = await Promise.all(shelves.map((shelf) => listNames(join(this.#root, shelf))));
    return names
      .flat()
      .filter((name) => ID.test(name) && name.startsWith(prefix))
      .toSorted();
  }

  /** @throws HypoError `storage_failed` where the metadata is damaged. */
  async readRecord(id: string): Promise<SourceRecord | undefined> {
    const path = this.#path(id, "metadata.json");
    const json = await readIfThere(path);
    if (json === undefined) return undefined;
    try {
      const { SourceRecord } = await import("../../domain/source.ts");
      const record = SourceRecord.parse(JSON.parse(json.toString("utf8")));
      if (record.id !== id) throw new Error(`it describes the source ${record.id}`);
      return record;
    } catch (error) {
      throw new HypoError("storage_failed", `The metadata of source ${id} is damaged: ${messageOf(error)}.`, {
        hint: `Restore ${path} from git or a backup, or remove its folder and read the source again.`,
        cause: error,
      });
    }
  }

  /**
   * The record in a state that was checked when it was indexed, and needs no schema a second time: loading that takes
   * longer than listing. In another state it is checked.
   */
  async readCheckedRecord(id: string, stamp: string): Promise<SourceRecord | undefined> {
    const json = await readIfThere(this.#path(id, "metadata.json"));
    // Asked after reading, so that what was read is no later state.
    if (json === undefined || this.stamp(id) !== stamp) return await this.readRecord(id);
    return JSON.parse(json.toString("utf8")) as SourceRecord;
  }

  async writeRecord(record: SourceRecord): Promise<void> {
    await writeFileAtomic(this.#path(record.id, "metadata.json"), `${JSON.stringify(record, undefined, 2)}\n`);
  }

  async readBytes(id: string): Promise<Uint8Array | undefined> {
    return await readIfThere(this.#path(id, "original"));
  }

  async writeBytes(id: string, bytes: Uint8Array): Promise<void> {
    await writeFileAtomic(this.#path(id, "original"), bytes);
  }

  async readText(id: string): Promise<string | undefined> {
    return (await readIfThere(this.#path(id, "text.md")))?.toString("utf8");
  }

  async writeText(id: string, text: string): Promise<void> {
    await writeFileAtomic(this.#path(id, "text.md"), text);
  }

  /** Makes the text one that is kept from now on. */
  async touchText(id: string): Promise<void> {
    const [path, now] = [this.#path(id, "text.md"), new Date()];
    await utimes(path, now, now).catch((error: unknown) => {
      throw storageError(path, error);
    });
  }

  /** The folders `<aa>` that are there. */
  async shelves(): Promise<Shelf[]> {
    const names = (await listNames(this.#root)).filter((name) => /^[0-9a-f]{2}$/.test(name));
    const shelves = names.map((name) => ({ name, stamp: stampOf(join(this.#root, name)) }));
    return shelves.flatMap(({ name, stamp }) => (stamp === undefined ? [] : [{ name, stamp }])).toSorted(byName);
  }

  /** Which state the metadata of each source of a shelf is in; sources without metadata are none. */
  async stamps(shelf: string): Promise<Map<string, string>> {
    const stamps = (await this.ids(shelf)).map((id) => [id, this.stamp(id)] as const);
    return new Map(stamps.flatMap(([id, stamp]) => (stamp === undefined ? [] : [[id, stamp]])));
  }

  /** Which state the metadata of a source is in; undefined where there is none. */
  stamp(id: string): string | undefined {
    return stampOf(this.metadataPath(id));
  }

  shelfPath(name: string): string {
    return join(this.#root, name);
  }

  metadataPath(id: string): string {
    return this.#path(id, "metadata.json");
  }

  /** When the text of a source was kept; undefined where it is not. */
  async textKeptAt(id: string): Promise<Date | undefined> {
    return await stat(this.#path(id, "text.md")).then(
      ({ mtime }) => mtime,
      () => undefined,
    );
  }

  /** Removes a source with all that is kept of it. */
  async remove(id: string): Promise<void> {
    await rm(join(this.#root, id.slice(0, 2), id), { recursive: true, force: true });
  }

  #path(id: string, file: "original" | "metadata.json" | "text.md"): string {
    return join(this.#root, id.slice(0, 2), id, file);
  }
}

function byName(a: Shelf, b: Shelf): number {
  return a.name < b.name ? -1 : 1;
}

/** Another file, another time or another size is another state. Asked for by the thousand, so without the thread pool. */
function stampOf(path: string): string | undefined {
  const found = lookAt(path);
  return found === undefined ? undefined : `${found.mtimeNs}:${found.ino}:${found.size}`;
}

/** What stands at a path, or the link itself where it leads nowhere: that is damage, and no missing file. */
function lookAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    const code = systemCodeOf(error);
    // What stands in place of the folder is looked at itself: reading it will tell what is wrong.
    if (code === "ENOTDIR") return lstatSync(dirname(path), { bigint: true, throwIfNoEntry: false });
    if (code === "ELOOP") return lstatSync(path, { bigint: true, throwIfNoEntry: false });
    throw unreadable(path, error);
  }
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw unreadable(folder, error);
  }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readRegularFile(path);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): HypoError {
  return new HypoError("storage_failed", `Cannot read ${path}: ${messageOf(error)}.`, {
    hint: "Look at what stands there and at its permissions.",
    cause: error,
  });
}
