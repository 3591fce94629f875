/** The states that a source's metadata has been in. Apart from its schema, which takes longer to load than sources to list. Pure. */
import { hashOf } from "./hash.ts";
import type { SourceRecord } from "./source.ts";

/** A source with another text, which remembers the one it had. */
export function withText(source: SourceRecord, text: NonNullable<SourceRecord["text"]>): SourceRecord {
  return { ...source, text, former_texts: [...(source.former_texts ?? []), source.text ?? null] };
}

/**
 * A source as its metadata was when that was hashed, without what was retrieved since and with the text it had then;
 * undefined where its metadata was never that.
 */
export function asRecorded(source: SourceRecord, recordSha256: string): SourceRecord | undefined {
  return listTextStates(source)
    .flatMap((state) => source.retrievals.map((_, last) => ({ ...state, retrievals: source.retrievals.slice(0, last + 1) })))
    .find((earlier) => hashOf(earlier) === recordSha256);
}

/** The source with each of the texts it has had. */
function listTextStates(source: SourceRecord): SourceRecord[] {
  const { text: _, former_texts: former = [], ...rest } = source;
  const states = [source];
  for (const [place, text] of former.entries()) {
    const before = place === 0 ? {} : { former_texts: former.slice(0, place) };
    states.push({ ...rest, ...before, ...(text === null ? {} : { text }) });
  }
  return states;
}
