import { HypoError } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import type { SourceId } from "../../domain/ids.ts";
import type { SourceRecord } from "../../domain/source.ts";
import { withText } from "../../domain/source-states.ts";
import type { DerivedText } from "../extract/derived-text.ts";
import type { TextDeriver } from "../extract/derive-text.ts";
import { kindOf } from "../extract/media-type.ts";
import { describeText } from "./describe-source.ts";
import type { SourceIndex } from "./index/source-index.ts";
import type { SourceFolders } from "./source-folders.ts";
import { TextCache, type ReadyText } from "./text-cache.ts";

export interface StoredTextsOptions {
  folders: SourceFolders;
  index: SourceIndex;
  deriver: TextDeriver;
}

/** The texts of stored sources: kept beside the bytes once cited, made again of the bytes before that. */
export class StoredTexts {
  readonly #options: StoredTextsOptions;
  readonly #cache = new TextCache();

  constructor(options: StoredTextsOptions) {
    this.#options = options;
  }

  /** Keeps what was just derived in memory. */
  remember(id: SourceId, { text, thin, warnings }: DerivedText): void {
    this.#cache.put(id, { text, thin, warnings });
  }

  /** @throws HypoError `storage_failed` where the text or the bytes are not those that were recorded. */
  async read(id: SourceId): Promise<ReadyText | undefined> {
    const record = await this.#options.folders.readRecord(id);
    if (record?.text === undefined) return undefined;
    const known = this.#cache.get(id) ?? (await this.#readKept(id));
    if (known === undefined) return await this.#deriveAgain(record);
    if (sha256(known.text) !== record.text.sha256) throw changedText(record);
    this.#cache.put(id, known);
    return known;
  }

  /** Made anew of the bytes, whatever is kept or recorded. */
  async derive(id: SourceId): Promise<DerivedText | undefined> {
    const record = await this.#options.folders.readRecord(id);
    return record === undefined ? undefined : await this.#derive(record);
  }

  /** Writes the text beside the bytes, since something cites it or a person added it. */
  async keep(id: SourceId): Promise<void> {
    const found = await this.read(id);
    if (found === undefined) {
      throw new HypoError("not_found", `There is no text of source ${id} to keep.`, { hint: "Read the source again." });
    }
    const { folders, index } = this.#options;
    await index.write(async ({ put }) => {
      // Somebody who collects what nothing cites may have looked before this.
      if ((await folders.readText(id)) !== undefined) return await folders.touchText(id);
      const record = await folders.readRecord(id);
      // Removed, or given another text, by another process since it was read.
      if (record?.text?.sha256 !== sha256(found.text)) throw changedText(record ?? { id, retrievals: [] });
      await folders.writeText(id, found.text);
      await put(record);
    });
  }

  async #readKept(id: SourceId): Promise<ReadyText | undefined> {
    const text = await this.#options.folders.readText(id);
    return text === undefined ? undefined : { text, thin: false, warnings: [] };
  }

  async #deriveAgain(record: SourceRecord): Promise<ReadyText | undefined> {
    const derived = await this.#derive(record);
    if (derived === undefined) return undefined;
    if (sha256(derived.text) !== record.text?.sha256) {
      if (derived.extractor === record.text?.extractor) throw changedText(record);
      await this.#adopt(record.id, derived);
    }
    this.remember(record.id, derived);
    return derived;
  }

  async #derive(record: SourceRecord): Promise<DerivedText | undefined> {
    const bytes = await this.#options.folders.readBytes(record.id);
    const kind = kindOf(record.mime);
    const url = record.retrievals[0]?.final_url;
    if (bytes === undefined || kind === undefined || url === undefined) return undefined;
    if (sha256(bytes) !== record.id) throw changedBytes(record);
    return await this.#options.deriver.derive({ bytes, mime: record.mime, kind, url }, new AbortController().signal);
  }

  /** Another version makes another text; while nothing cites the old one, the new one takes its place. */
  async #adopt(id: SourceId, derived: DerivedText): Promise<void> {
    const { folders, index } = this.#options;
    await index.write(async ({ put }) => {
      const record = await folders.readRecord(id);
      if (record === undefined) return;
      if ((await folders.readText(id)) !== undefined) throw changedText(record);
      const renewed = withText(record, describeText(derived));
      await folders.writeRecord(renewed);
      await put(renewed);
    });
  }
}

function changedText(record: Pick<SourceRecord, "id" | "text" | "retrievals">): HypoError {
  return new HypoError(
    "storage_failed",
    `The text of source ${record.id} is not the one recorded (${record.text?.extractor ?? "no text"}).`,
    { hint: "Its text file was changed: restore it from a backup, or remove the source's folder and read it again." },
  );
}

/** The error of bytes that are not those of their name. */
export function changedBytes(record: Pick<SourceRecord, "id" | "retrievals">): HypoError {
  return new HypoError("storage_failed", `The stored bytes of source ${record.id} were changed.`, {
    hint: `Remove the folder of the source and read ${record.retrievals[0]?.url ?? "it"} again.`,
  });
}
