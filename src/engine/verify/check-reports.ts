import { basename, relative } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import type { SourceStore } from "../../domain/ports.ts";
import { surveyJournal, type JournalSurvey } from "../journal/survey.ts";
import { ReportReplay, type ReportBasis, type ReportWritten } from "../reconstruct-report.ts";
import type { Ports } from "../run-context.ts";
import type { RunFolder } from "../run-folder.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";
import type { Outcome } from "./outcome.ts";
import { readIfThere } from "./read-files.ts";

type Place = ReturnType<RunFolder["report"]>;

/** The report of every branch: its files by hash, and every sentence in them from the record and the recorded draft. */
export async function checkReports(
  folder: RunFolder,
  facts: EvidenceFacts,
  survey: JournalSurvey,
  ports: Pick<Ports, "sources" | "report">,
  found: Outcome,
): Promise<void> {
  for (const [branch, head] of survey.heads) {
    const isAncestor = survey.ancestorsOf(head);
    const written = standingReport(facts, isAncestor);
    if (written === undefined) {
      if (head > 0) found.note(`Branch ${branch} has not written its report yet, so there is none to check.`);
      continue;
    }
    const place = isOnDisk(written, branch, folder, facts) ? folder.report(branch) : undefined;
    if (place === undefined) found.note(`The report of branch ${branch} is one from before, which has no files of its own.`);
    if (survey.bad.length > 0) {
      if (place) await checkHashes(place, written, found);
      found.note(`The report of branch ${branch} was checked by hash alone, since the journal it would be traced in is damaged.`);
      continue;
    }
    const replay = new ReportReplay(written.branch, head, isAncestor, written);
    await surveyJournal(folder.path, (record) => replay.add(record));
    await checkReport(place, written, await replay.finish(readableSources(ports.sources)), ports, found);
  }
}

/** The last report of an ancestry, unless the run has gone on after it. */
function standingReport(facts: EvidenceFacts, isAncestor: (seq: number) => boolean): ReportWritten | undefined {
  const written = facts.of("report_written").findLast(({ seq }) => isAncestor(seq));
  const reopened = facts.of("run_resumed").findLast(({ seq, data }) => data.reopens === true && isAncestor(seq));
  return written && (reopened === undefined || reopened.seq < written.seq) ? written : undefined;
}

/** True where the branch wrote the report itself, and after a rewind none in its place. */
function isOnDisk({ seq, data: { path } }: ReportWritten, branch: string, folder: RunFolder, facts: EvidenceFacts): boolean {
  const own = relative(folder.path, folder.report(branch).markdown);
  return path === own && facts.of("report_written").findLast(({ data }) => data.path === own)?.seq === seq;
}

async function checkReport(
  place: Place | undefined,
  written: ReportWritten,
  { record, draft, whyCode }: ReportBasis,
  ports: Pick<Ports, "report">,
  found: Outcome,
): Promise<void> {
  const name = written.data.path;
  if (written.data.by === "supervisor" && draft === undefined)
    return found.add("report_untraced", name, "The draft it was made from is not in the journal.");
  const rendered = ports.report.render(record, draft, whyCode);
  const { sha256: markdown, json_sha256: json } = written.data;
  if (place) {
    await checkFile(place.markdown, rendered.markdown, markdown, found);
    await checkFile(place.json, rendered.json, json, found);
  } else if (sha256(rendered.markdown) !== markdown) found.add("report_untraced", name, "The record does not give this report again.");
  if (draft === undefined) return;
  found.checked.claims += draft.sections.reduce((sum, { claims }) => sum + claims.length, 1);
  for (const { where, problem } of ports.report.check(draft, record)) found.add("claim_unsupported", `${name}, ${where}`, problem);
}

/** A source whose metadata is damaged has been reported already; the record goes without it. */
function readableSources(sources: SourceStore): Pick<SourceStore, "find"> {
  return {
    find: async (id) => {
      try {
        return await sources.find(id);
      } catch (error) {
        if (error instanceof HypoError) return undefined;
        throw error;
      }
    },
  };
}

async function checkHashes(place: Place, { data }: ReportWritten, found: Outcome): Promise<void> {
  for (const [path, hash] of [
    [place.markdown, data.sha256],
    [place.json, data.json_sha256],
  ] as const) {
    const present = await readIfThere(path);
    if (present === undefined) found.add("report_changed", basename(path), "The file is missing.");
    else if (hash !== undefined && sha256(present) !== hash)
      found.add("report_changed", basename(path), "It was changed since it was written.");
  }
}

async function checkFile(path: string, rendered: string, hash: string | undefined, found: Outcome): Promise<void> {
  const name = basename(path);
  const present = await readIfThere(path);
  if (present === undefined) return found.add("report_changed", name, "The file is missing.");
  if (hash !== undefined && sha256(present) !== hash)
    found.add("report_changed", name, `It was changed since it was written${describeChange(present.toString("utf8"), rendered)}.`);
  else if (present.toString("utf8") !== rendered)
    found.add("report_untraced", name, `The record does not give this report again${describeChange(present.toString("utf8"), rendered)}.`);
}

/** The first line that differs. */
function describeChange(present: string, rendered: string): string {
  const [lines, expected] = [present.split("\n"), rendered.split("\n")];
  const at = lines.findIndex((line, index) => line !== expected[index]);
  return at === -1 ? "" : ` (line ${at + 1}: ${JSON.stringify((lines[at] ?? "").slice(0, 120))})`;
}
