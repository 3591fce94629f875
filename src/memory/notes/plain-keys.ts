/**
 * The fast way to read the keys that hypo knows where they hold what hypo writes. What is read here must be what the
 * schema of `known-keys.ts` would give; anything else is left to it, and it says what is wrong.
 */
import type { KnownValues } from "./known-keys.ts";
import type { EvidenceRange } from "./note.ts";

/** Undefined where the schema has to decide; relations are always left to it. */
export function readPlainKeys(values: ReadonlyMap<string, unknown>): KnownValues | undefined {
  const read = {
    id: readId(values.get("id")),
    type: readText(values.get("type")),
    status: readText(values.get("status")),
    created_by: readText(values.get("created_by")),
    run_id: readText(values.get("run_id")),
    created: readText(values.get("created")),
    language: readText(values.get("language")),
    superseded_by: readText(values.get("superseded_by")),
    negative_result: readBoolean(values.get("negative_result")),
    sources: readTexts(values.get("sources")),
    evidence: readRanges(values.get("evidence")),
    counterevidence: readRanges(values.get("counterevidence")),
    experiments: readTexts(values.get("experiments")),
    related: isNothing(values.get("related")) ? [] : undefined,
  };
  return isWhole(read) ? read : undefined;
}

function isWhole(read: { [Key in keyof KnownValues]: KnownValues[Key] | undefined }): read is KnownValues {
  return Object.values(read).every((value) => value !== undefined);
}

function readId(value: unknown): string | undefined {
  const id = typeof value === "string" ? value.trim() : "";
  return id === "" ? undefined : id;
}

function readText(value: unknown): string | undefined {
  if (value === undefined) return "";
  return typeof value === "string" ? value : undefined;
}

function readBoolean(value: unknown): boolean | undefined {
  if (value === undefined) return false;
  return typeof value === "boolean" ? value : undefined;
}

function isNothing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function readTexts(value: unknown): string[] | undefined {
  if (isNothing(value)) return [];
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? [...value] : undefined;
}

function readRanges(value: unknown): EvidenceRange[] | undefined {
  if (isNothing(value)) return [];
  if (!Array.isArray(value)) return undefined;
  const ranges: EvidenceRange[] = [];
  for (const item of value) {
    const range = readRange(item);
    if (range === undefined) return undefined;
    ranges.push(range);
  }
  return ranges;
}

function readRange(value: unknown): EvidenceRange | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { source, text_sha256, extractor, start, end } = value as Record<string, unknown>;
  if (typeof source !== "string" || typeof text_sha256 !== "string" || typeof extractor !== "string") return undefined;
  return isWholeNumber(start) && isWholeNumber(end) ? { source, text_sha256, extractor, start, end } : undefined;
}

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
