import { MAIN_BRANCH } from "../domain/ids.ts";
import type { SourceStore } from "../domain/ports.ts";
import { Journal } from "./journal/journal.ts";
import { ReportReplay, type ReportBasis, type ReportWritten } from "./reconstruct-report.ts";

/**
 * What a run's report is rendered from: the record as it was when the report was written and the draft that stood, or
 * the record as it is now where there is no report yet.
 *
 * @throws HypoError `run_damaged`
 */
export async function readReportBasis(folder: string, sources: Pick<SourceStore, "find">): Promise<ReportBasis> {
  const journal = await Journal.read(folder);
  let written: ReportWritten | undefined;
  let head = 0;
  const ancestry = new Set<number>();
  for await (const fact of journal.ancestry(MAIN_BRANCH)) {
    head = fact.seq;
    ancestry.add(fact.seq);
    if (fact.type === "report_written") written = fact;
    // A run that goes on after its report will write another.
    if (fact.type === "run_resumed" && fact.data.reopens === true) written = undefined;
  }
  const replay = new ReportReplay(MAIN_BRANCH, head, (seq) => ancestry.has(seq), written);
  for await (const fact of journal.allFacts()) replay.add(fact);
  return replay.finish(sources);
}
