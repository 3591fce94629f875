import { hashOf } from "../domain/hash.ts";
import type { AgentId } from "../domain/ids.ts";
import type { RunEvent } from "../domain/events.ts";
import type { SourceRecord } from "../domain/source.ts";
import { event } from "./run-log.ts";

/** @param agent who had it stored; null for the person */
export function sourceStored(agent: AgentId | null, source: SourceRecord): RunEvent[] {
  const latest = source.retrievals.at(-1);
  if (!latest) return [];
  const { title } = source.bibliography;
  return [
    event("source_stored", {
      agent,
      source: source.id,
      url: latest.url,
      final_url: latest.final_url,
      ...(title === undefined ? {} : { title }),
      mime: source.mime,
      size: source.size,
      status: latest.status,
      backend: latest.backend,
      ...(source.text ? { text_sha256: source.text.sha256 } : {}),
      ...(latest.allowed_host === undefined ? {} : { allowed_host: latest.allowed_host }),
      record_sha256: hashOf(source),
    }),
  ];
}
