import { HypoError, messageOf } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import type { SourceId } from "../../domain/ids.ts";
import type { ReadDocument, SourceStore } from "../../domain/ports.ts";
import type { Bibliography, Retrieval, SourceRecord } from "../../domain/source.ts";
import type { DerivedText, DeriveJob } from "../extract/derived-text.ts";
import { createTextDeriver, type TextDeriver } from "../extract/derive-text.ts";
import { kindOf } from "../extract/media-type.ts";
import { canonicalKeyOf } from "./canonical-url.ts";
import { SourceFolders, type DamagedSource } from "./source-folders.ts";
import { TextCache } from "./text-cache.ts";

const MIN_PREFIX = 8;

export interface SourceStoreOptions {
  /** Called for each source whose metadata cannot be read; the source is left out. */
  onDamage?: ((damaged: DamagedSource) => void) | undefined;
  /** Makes text again of stored bytes; worker threads of its own where left out. */
  deriver?: TextDeriver | undefined;
}

/** Bytes that were just fetched. */
export interface FetchedDocument {
  bytes: Uint8Array;
  mime: string;
  retrieval: Retrieval;
}

/** The store with its writing side, as the gateway uses it. */
export interface WritableSourceStore extends SourceStore {
  /**
   * Stores a document and derives its text where its type has one; bytes known already get one more retrieval.
   *
   * @throws what deriving the text throws, and then nothing is stored, unless `textOptional`.
   */
  keep(document: FetchedDocument, signal: AbortSignal, options?: KeepOptions): Promise<StoredDocument>;
  /** A stored source with its text, as `keep` gave it; undefined where the bytes are not here. */
  open(id: SourceId): Promise<ReadDocument | undefined>;
  close(): Promise<void>;
}

interface KeepOptions {
  /** Store the bytes also where no text can be made of them. */
  textOptional?: boolean;
}

interface StoredDocument {
  source: SourceRecord;
  text: string | undefined;
  thin: boolean;
  warnings: string[];
}

/** Opens the store in a folder (`.hypo/sources`), which need not exist yet. */
export function openSourceStore(folder: string, options: SourceStoreOptions = {}): WritableSourceStore {
  const deriver = options.deriver ?? createTextDeriver();
  const folders = new SourceFolders(folder);
  const texts = new TextCache();
  /** The last write of each source: a second one waits, so that no retrieval is lost. */
  const writes = new Map<SourceId, Promise<unknown>>();

  async function keep(document: FetchedDocument, signal: AbortSignal, { textOptional = false }: KeepOptions = {}): Promise<StoredDocument> {
    const { bytes, retrieval } = document;
    const id = sha256(bytes);
    return await inTurn(id, async () => {
      const known = await folders.readRecord(id);
      if (known !== undefined) return await addRetrieval(known, bytes, retrieval);
      const { derived, problem } = await derive(document, signal, textOptional);
      const source = describeSource(id, document, derived);
      await folders.writeBytes(id, bytes);
      await folders.writeRecord(source);
      if (derived !== undefined) texts.put(id, derived.text);
      return { source, text: derived?.text, thin: derived?.thin ?? false, warnings: problem ?? derived?.warnings ?? [] };
    });
  }

  async function derive(
    { bytes, mime, retrieval }: FetchedDocument,
    signal: AbortSignal,
    textOptional: boolean,
  ): Promise<{ derived?: DerivedText; problem?: string[] }> {
    const kind = kindOf(mime);
    if (kind === undefined) return {};
    try {
      return { derived: await deriver.derive({ bytes, mime, kind, url: retrieval.final_url }, signal) };
    } catch (error) {
      if (!textOptional || signal.aborted) throw error;
      return { problem: [messageOf(error)] };
    }
  }

  async function addRetrieval(known: SourceRecord, bytes: Uint8Array, retrieval: Retrieval): Promise<StoredDocument> {
    const source = { ...known, retrievals: [...known.retrievals, retrieval] };
    // The bytes may be missing where only the metadata came with a clone.
    if ((await folders.readBytes(known.id)) === undefined) await folders.writeBytes(known.id, bytes);
    await folders.writeRecord(source);
    return { source, text: await text(known.id), thin: false, warnings: [] };
  }

  async function text(id: SourceId): Promise<string | undefined> {
    const record = await folders.readRecord(id);
    if (record?.text === undefined) return undefined;
    const found = texts.get(id) ?? (await folders.readText(id)) ?? (await deriveAgain(record))?.text;
    if (found === undefined) return undefined;
    if (sha256(found) !== record.text.sha256) throw changedText(record);
    texts.put(id, found);
    return found;
  }

  async function deriveAgain(record: SourceRecord): Promise<DerivedText | undefined> {
    const job = await describeJob(record);
    return job === undefined ? undefined : await deriver.derive(job, new AbortController().signal);
  }

  async function describeJob(record: SourceRecord): Promise<DeriveJob | undefined> {
    const bytes = await folders.readBytes(record.id);
    const kind = kindOf(record.mime);
    const url = record.retrievals[0]?.final_url;
    if (bytes === undefined || kind === undefined || url === undefined) return undefined;
    if (sha256(bytes) !== record.id) throw changedBytes(record);
    return { bytes, mime: record.mime, kind, url };
  }

  async function inTurn<T>(id: SourceId, work: () => Promise<T>): Promise<T> {
    const before = writes.get(id) ?? Promise.resolve();
    const mine = before.then(work, work);
    writes.set(id, mine);
    try {
      return await mine;
    } finally {
      if (writes.get(id) === mine) writes.delete(id);
    }
  }

  return {
    keep,
    text,
    async open(id) {
      const source = await folders.readRecord(id);
      const found = source === undefined ? undefined : await text(id);
      return source === undefined || found === undefined ? undefined : { source, text: found, warnings: [] };
    },
    async find(idOrPrefix) {
      const prefix = idOrPrefix.trim().toLowerCase();
      if (!/^[0-9a-f]+$/.test(prefix) || prefix.length < MIN_PREFIX) return undefined;
      const [id, ...others] = await folders.ids(prefix);
      if (others.length > 0) {
        throw new HypoError("usage", `${others.length + 1} sources begin with ${prefix}.`, {
          hint: "Give more digits of the source's id.",
        });
      }
      return id === undefined ? undefined : await folders.readRecord(id);
    },
    async bytes(id) {
      const bytes = await folders.readBytes(id);
      const record = bytes === undefined ? undefined : await folders.readRecord(id);
      if (bytes !== undefined && record !== undefined && sha256(bytes) !== id) throw changedBytes(record);
      return bytes;
    },
    async derive(id) {
      const record = await folders.readRecord(id);
      return record === undefined ? undefined : await deriveAgain(record);
    },
    async keepText(id) {
      const found = await text(id);
      if (found === undefined)
        throw new HypoError("not_found", `There is no text of source ${id} to keep.`, { hint: "Read the source again." });
      if ((await folders.readText(id)) === undefined) await folders.writeText(id, found);
    },
    list: () => folders.readAll(options.onDamage ?? (() => undefined)),
    close: () => deriver.close(),
  };
}

function describeSource(id: SourceId, { bytes, mime, retrieval }: FetchedDocument, derived: DerivedText | undefined): SourceRecord {
  const bibliography: Bibliography = derived?.bibliography ?? {};
  return {
    v: 1,
    id,
    size: bytes.length,
    mime,
    canonical: canonicalKeyOf({ url: retrieval.final_url, ...bibliography }),
    bibliography,
    ...(derived === undefined
      ? {}
      : { text: { sha256: sha256(derived.text), extractor: derived.extractor, characters: countCodePoints(derived.text) } }),
    retrievals: [retrieval],
    untrusted: true,
  };
}

function countCodePoints(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

function changedText(record: SourceRecord): HypoError {
  return new HypoError(
    "storage_failed",
    `The text of source ${record.id} is not the one recorded (${record.text?.extractor ?? "no text"}).`,
    {
      hint: "Its text file was changed, or this version derives text differently: restore the file, or read the source again.",
    },
  );
}

function changedBytes(record: SourceRecord): HypoError {
  return new HypoError("storage_failed", `The stored bytes of source ${record.id} were changed.`, {
    hint: `Remove the folder of the source and read ${record.retrievals[0]?.url ?? "it"} again.`,
  });
}
