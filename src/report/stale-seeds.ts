import type { Finding } from "../domain/finding.ts";
import type { ReferenceCheck } from "../domain/reference-check.ts";
import type { SourceRecord } from "../domain/source.ts";
import type { StaleSeed } from "./staleness.ts";

/** What has changed since: sources that read differently or were retracted, and findings whose notes a person withdrew. */
export function listSeeds(known: {
  findings: Finding[];
  sources: SourceRecord[];
  checks: ReadonlyMap<string, ReferenceCheck>;
  /** Present status of each note by the id of its finding. */
  noteStatus: ReadonlyMap<string, string>;
}): StaleSeed[] {
  const cited = new Set(
    known.findings.flatMap(({ evidence, counterevidence }) => [...evidence, ...counterevidence].map(({ source }) => source)),
  );
  return [
    ...changedSources(
      known.sources.filter(({ id }) => cited.has(id)),
      known.sources,
    ),
    ...Array.from(cited, (id) => known.checks.get(id)).flatMap((check) =>
      check?.retracted === true ? [{ id: check.source, why: `source ${check.source.slice(0, 12)} is retracted` }] : [],
    ),
    ...known.findings.flatMap(({ id, status }) => withdrawnNote(id, status, known.noteStatus.get(id))),
  ];
}

/** The same document read again later with another text. */
function changedSources(cited: SourceRecord[], all: SourceRecord[]): StaleSeed[] {
  const byAddress = Map.groupBy(
    all.flatMap((source) => addressesOf(source).map((address) => ({ address, source }))),
    ({ address }) => address,
  );
  return cited.flatMap((source) => {
    const versions = addressesOf(source).flatMap((address) => byAddress.get(address) ?? []);
    const newest = versions.map((version) => version.source).reduce((a, b) => (retrievedAt(b) > retrievedAt(a) ? b : a), source);
    if (newest.id === source.id || contentOf(newest) === contentOf(source)) return [];
    const why = `source ${source.id.slice(0, 12)} reads differently since ${retrievedAt(newest).slice(0, 10)} (now ${newest.id.slice(0, 12)})`;
    return [{ id: source.id, why }];
  });
}

function addressesOf({ canonical, retrievals }: SourceRecord): string[] {
  return [...new Set([canonical, ...retrievals.map(({ url }) => url)])];
}

function retrievedAt({ retrievals }: SourceRecord): string {
  return retrievals.map(({ retrieved_at }) => retrieved_at).reduce((a, b) => (b > a ? b : a), "");
}

function contentOf({ id, text }: SourceRecord): string {
  return text?.sha256 ?? id;
}

function withdrawnNote(id: string, published: string, present: string | undefined): StaleSeed[] {
  const isWithdrawn = (present === "outdated" || present === "rejected") && present !== published;
  return isWithdrawn ? [{ id, why: `the note of ${id} is marked ${present}` }] : [];
}
