import { HypoError } from "../../domain/errors.ts";
import type { EventData } from "../../domain/events.ts";
import { sha256 } from "../../domain/hash.ts";
import type { SourceStore } from "../../domain/ports.ts";
import type { SourceRecord } from "../../domain/source.ts";
import { asRecorded } from "../../domain/source-states.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";
import type { Outcome } from "./outcome.ts";

/** The text that quotes of each source are checked against; undefined where none can be trusted. */
export type SourceTexts = Map<string, string | undefined>;

/** Bytes, metadata and text of every source of the run; the text is derived anew from the bytes. */
export async function checkSources(facts: EvidenceFacts, store: SourceStore, found: Outcome): Promise<SourceTexts> {
  const stored = new Map(facts.of("source_stored").map(({ data }) => [data.source, data]));
  const cited = facts.of("finding_published").flatMap(({ data }) => data.finding.evidence.concat(data.finding.counterevidence));
  const texts: SourceTexts = new Map();
  for (const id of new Set([...stored.keys(), ...cited.map(({ source }) => source)])) {
    found.checked.sources += 1;
    texts.set(id, await checkSource(id, stored.get(id), store, found));
  }
  return texts;
}

async function checkSource(
  id: string,
  fact: EventData<"source_stored"> | undefined,
  store: SourceStore,
  found: Outcome,
): Promise<string | undefined> {
  const where = `source ${id.slice(0, 12)}`;
  const record = await attempt(where, "source_changed", found, () => store.find(id));
  if (record === "failed") return undefined;
  if (record === undefined) {
    found.add("source_missing", where, "Its metadata is missing.");
    return undefined;
  }
  if (fact !== undefined) checkRecord(where, record, fact, found);
  const bytes = await attempt(where, "source_changed", found, () => store.bytes(id));
  if (bytes === undefined) found.add("source_missing", where, "Its bytes are not here, so nothing can be checked against them.");
  return checkText(where, record, bytes === "failed" ? "changed" : bytes === undefined ? "missing" : "good", store, found);
}

/** What the fact says of the source, and that nothing of the metadata but later retrievals and texts was added. */
function checkRecord(where: string, record: SourceRecord, fact: EventData<"source_stored">, found: Outcome): void {
  const { mime, size, text_sha256, record_sha256 } = fact;
  const texts = [record.text, ...(record.former_texts ?? [])].map((text) => text?.sha256);
  const agrees = record.mime === mime && record.size === size && texts.includes(text_sha256);
  if (!agrees) found.add("source_changed", where, "Its metadata differs from the source_stored fact.");
  else if (record_sha256 !== undefined && asRecorded(record, record_sha256) === undefined)
    found.add("source_changed", where, "Its metadata is not what was recorded when it was read.");
}

async function checkText(
  where: string,
  record: SourceRecord,
  bytes: "good" | "missing" | "changed",
  store: SourceStore,
  found: Outcome,
): Promise<string | undefined> {
  if (record.text === undefined) return undefined;
  const kept = await attempt(where, "text_changed", found, () => store.text(record.id));
  if (bytes === "changed") return undefined;
  if (bytes === "missing") return kept === "failed" ? undefined : kept;
  const derived = await attempt(where, "text_changed", found, () => store.derive(record.id));
  if (derived === "failed" || derived === undefined) return kept === "failed" ? undefined : kept;
  if (sha256(derived.text) === record.text.sha256) return derived.text;
  if (derived.extractor !== record.text.extractor && kept !== "failed" && kept !== undefined) {
    found.note(
      `The text of ${where} was made by ${record.text.extractor} and this hypo has ${derived.extractor}; the kept text was checked.`,
    );
    return kept;
  }
  found.add("text_changed", where, "The text derived from its bytes is not the one recorded.");
  return undefined;
}

/** What a store says of damaged files is a divergence and no failure. */
async function attempt<T>(
  where: string,
  kind: "source_changed" | "text_changed",
  found: Outcome,
  read: () => Promise<T>,
): Promise<T | "failed"> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof HypoError)) throw error;
    found.add(kind, where, error.message);
    return "failed";
  }
}
