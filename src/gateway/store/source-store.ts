import { HypoError, messageOf } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import type { SourceId } from "../../domain/ids.ts";
import { OneAtATime } from "../../domain/one-at-a-time.ts";
import type { ReadDocument, SourceStore } from "../../domain/ports.ts";
import type { Retrieval, SourceRecord } from "../../domain/source.ts";
import { withText } from "../../domain/source-states.ts";
import { createTextDeriver, type TextDeriver } from "../extract/derive-text.ts";
import type { DerivedText } from "../extract/derived-text.ts";
import { kindOf } from "../extract/media-type.ts";
import { describeSource, describeText, type FetchedDocument } from "./describe-source.ts";
import { SourceIndex, type FoundSources, type SimilarSource } from "./index/source-index.ts";
import { SourceFolders, type DamagedSource } from "./source-folders.ts";
import { changedBytes, StoredTexts } from "./stored-texts.ts";

const MIN_PREFIX = 8;

export interface SourceStoreOptions {
  /** Called for each source whose metadata cannot be read; the source is left out. */
  onDamage?: ((damaged: DamagedSource) => void) | undefined;
  /** Makes text again of stored bytes; worker threads of its own where left out. */
  deriver?: TextDeriver | undefined;
}

/** Sources in order, and how many there are beyond the limit. */
interface SourcePage {
  sources: SourceRecord[];
  total: number;
}

/** The store with its writing side and its index, as the gateway and the commands use it. */
export interface WritableSourceStore extends SourceStore {
  /**
   * Stores a document and derives its text where its type has one; bytes known already get one more retrieval.
   *
   * @throws what deriving the text throws, and then nothing is stored, unless `textOptional`.
   */
  keep(document: FetchedDocument, signal: AbortSignal, options?: KeepOptions): Promise<StoredDocument>;
  /** Records that a source was asked for again and had not changed. */
  confirm(id: SourceId, retrieval: Retrieval): Promise<SourceRecord>;
  /** A stored source with its text, as `keep` gave it; undefined where the bytes are not here. */
  open(id: SourceId): Promise<ReadDocument | undefined>;
  /** The most recently retrieved sources. */
  newest(limit: number): Promise<SourcePage>;
  /** Sources whose title, people, address or kept text hold all words of a query, best match first. */
  search(query: string, limit: number): Promise<SourcePage>;
  /** The source most recently retrieved from an address, if its bytes are here. */
  findByAddress(url: string): Promise<SourceRecord | undefined>;
  /** Sources with nearly the same text, the most alike first. */
  findSimilar(source: SourceRecord): Promise<SimilarSource[]>;
  /** What is wrong with the files of a source; empty where its bytes (if they are here) and its kept text are as recorded. */
  check(id: SourceId): Promise<string[]>;
  /**
   * Removes a source, unless its text was asked to be kept after `since`, as something that began to cite it does; true
   * where it is gone.
   */
  remove(id: SourceId, since: Date): Promise<boolean>;
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

/** Opens the store in a folder (`.hypo/sources`), which need not exist yet; its index stands beside it (`.hypo/sources.sqlite`). */
export function openSourceStore(folder: string, options: SourceStoreOptions = {}): WritableSourceStore {
  const { onDamage = () => undefined, deriver = createTextDeriver() } = options;
  const folders = new SourceFolders(folder);
  const index = new SourceIndex({ path: `${folder}.sqlite`, folders, onDamage });
  const texts = new StoredTexts({ folders, index, deriver });
  /** A second `keep` of a source waits for the first, and finds the text derived. */
  const keeping = new OneAtATime();

  async function keep(document: FetchedDocument, signal: AbortSignal, { textOptional = false }: KeepOptions = {}): Promise<StoredDocument> {
    const id = sha256(document.bytes);
    return await keeping.run(id, async () => {
      const known = await folders.readRecord(id);
      if (known !== undefined && (known.text !== undefined || kindOf(known.mime) === undefined)) {
        return await openKnown(await addRetrieval(id, document));
      }
      // Bytes that were kept as data, because no text could be made of them in time, get another try.
      const { derived, problem } = await derive(asFirstKept(document, known), signal, textOptional);
      const source = await addRetrieval(id, document, derived);
      if (derived !== undefined) texts.remember(id, derived);
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

  /** Within the lock of the store, so that no retrieval is lost, whoever else stores the same bytes. */
  async function addRetrieval(id: SourceId, document: FetchedDocument, derived?: DerivedText): Promise<SourceRecord> {
    return await index.write(async ({ put }) => {
      const known = await folders.readRecord(id);
      const source = known === undefined ? describeSource(id, document, derived) : addTo(known, document.retrieval, derived);
      // The bytes of a known source may be missing where only the metadata came with a clone.
      if ((await folders.readBytes(id)) === undefined) await folders.writeBytes(id, document.bytes);
      await folders.writeRecord(source);
      await put(source);
      return source;
    });
  }

  async function openKnown(source: SourceRecord): Promise<StoredDocument> {
    const ready = await texts.read(source.id);
    const current = (await folders.readRecord(source.id)) ?? source;
    return { source: current, text: ready?.text, thin: ready?.thin ?? false, warnings: ready?.warnings ?? [] };
  }

  async function readPage({ found, total }: FoundSources): Promise<SourcePage> {
    const sources: SourceRecord[] = [];
    for (const { id, stamp } of found) {
      try {
        const record = await folders.readCheckedRecord(id, stamp);
        if (record !== undefined) sources.push(record);
      } catch (error) {
        onDamage({ path: folders.metadataPath(id), problem: messageOf(error) });
      }
    }
    return { sources, total };
  }

  return {
    keep,
    async confirm(id, retrieval) {
      return await index.write(async ({ put }) => {
        const known = await folders.readRecord(id);
        if (known === undefined) throw new HypoError("not_found", `Source ${id} is not stored here.`, { hint: "Read it again." });
        const source = { ...known, retrievals: [...known.retrievals, retrieval] };
        await folders.writeRecord(source);
        await put(source);
        return source;
      });
    },
    async open(id) {
      const ready = await texts.read(id);
      const source = ready === undefined ? undefined : await folders.readRecord(id);
      return source === undefined || ready === undefined ? undefined : { source, text: ready.text, warnings: ready.warnings };
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
    text: async (id) => (await texts.read(id))?.text,
    async bytes(id) {
      const bytes = await folders.readBytes(id);
      const record = bytes === undefined ? undefined : await folders.readRecord(id);
      if (bytes !== undefined && record !== undefined && sha256(bytes) !== id) throw changedBytes(record);
      return bytes;
    },
    derive: (id) => texts.derive(id),
    keepText: (id) => texts.keep(id),
    list: async () => (await readPage(await index.newest(Number.MAX_SAFE_INTEGER))).sources,
    newest: async (limit) => await readPage(await index.newest(limit)),
    search: async (query, limit) => await readPage(await index.search(query, limit)),
    async findByAddress(url) {
      const id = await index.findByAddress(url);
      return id === undefined || (await folders.readBytes(id)) === undefined ? undefined : await folders.readRecord(id);
    },
    findSimilar: (source) => index.findSimilar(source),
    check: (id) => findProblems(folders, id),
    async remove(id, since) {
      return await index.write(async (writer) => {
        const kept = await folders.textKeptAt(id);
        if (kept !== undefined && kept >= since) return false;
        await folders.remove(id);
        writer.remove(id);
        return true;
      });
    },
    async close() {
      await Promise.all([deriver.close(), index.close()]);
    },
  };
}

/** The document as it is derived against from then on: by its first type and its first address. */
function asFirstKept(document: FetchedDocument, known: SourceRecord | undefined): FetchedDocument {
  const first = known?.retrievals[0];
  return known === undefined || first === undefined ? document : { ...document, mime: known.mime, retrieval: first };
}

function addTo(known: SourceRecord, retrieval: Retrieval, derived: DerivedText | undefined): SourceRecord {
  const source = { ...known, retrievals: [...known.retrievals, retrieval] };
  return known.text === undefined && derived !== undefined ? withText(source, describeText(derived)) : source;
}

async function findProblems(folders: SourceFolders, id: SourceId): Promise<string[]> {
  const [bytes, text] = await Promise.all([folders.readBytes(id), folders.readText(id)]);
  const record = await folders.readRecord(id);
  return [
    ...(bytes !== undefined && sha256(bytes) !== id ? ["the bytes are not those of its name"] : []),
    ...(text !== undefined && sha256(text) !== record?.text?.sha256 ? ["the kept text is not the one recorded"] : []),
  ];
}
