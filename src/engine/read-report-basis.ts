import type { SourceStore } from "../domain/ports.ts";
import { Journal } from "./journal/journal.ts";
import type { JournalReading } from "./journal/reading.ts";
import { ReportReplay, type ReportBasis, type ReportWritten } from "./reconstruct-report.ts";

/**
 * What the report of a run's branch is rendered from: the record as it was when the report was written and the draft that stood, or
 * the record as it is now where there is no report yet.
 *
 * @throws HypoError `run_damaged`; `not_found` for an unknown branch
 */
export async function readReportBasis(folder: string, branch: string, sources: Pick<SourceStore, "find">): Promise<ReportBasis> {
  return basisOf(await Journal.read(folder), branch, sources);
}

/**
 * Ids of the sources that the reports of a run's branches rest on, each once.
 *
 * @throws HypoError `run_damaged`
 */
export async function readCitedSources(folder: string, sources: Pick<SourceStore, "find">): Promise<string[]> {
  const journal = await Journal.read(folder);
  const cited = new Set<string>();
  for (const branch of journal.heads.keys()) {
    const { record } = await basisOf(journal, branch, sources);
    for (const id of Object.keys(record.sources)) cited.add(id);
  }
  return [...cited];
}

async function basisOf(journal: JournalReading, branch: string, sources: Pick<SourceStore, "find">): Promise<ReportBasis> {
  let written: ReportWritten | undefined;
  let head = 0;
  const ancestry = new Set<number>();
  for await (const fact of journal.ancestry(branch)) {
    head = fact.seq;
    ancestry.add(fact.seq);
    if (fact.type === "report_written") written = fact;
    // A run that goes on after its report will write another.
    if (fact.type === "run_resumed" && fact.data.reopens === true) written = undefined;
  }
  const replay = new ReportReplay(branch, head, (seq) => ancestry.has(seq), written);
  for await (const fact of journal.allFacts()) replay.add(fact);
  return replay.finish(sources);
}
