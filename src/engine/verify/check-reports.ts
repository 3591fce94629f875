import { dirname, join, relative } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import type { SourceStore } from "../../domain/ports.ts";
import { surveyJournal, type JournalSurvey } from "../journal/survey.ts";
import { ReportReplay, type ReportBasis, type ReportWritten } from "../reconstruct-report.ts";
import type { Ports } from "../run-context.ts";
import type { RunFolder } from "../run-folder.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";
import type { Outcome } from "./outcome.ts";
import { readStored } from "./read-files.ts";

/** One of the two files of a report. */
interface ReportFile {
  path: string;
  /** Below the run's folder. */
  name: string;
  kind: "markdown" | "json";
  sha256: string | undefined;
}

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
      if (head > 0) found.note(await describeUnwritten(branch, folder, facts));
      continue;
    }
    const files = isOnDisk(written, branch, folder, facts) ? filesOf(folder, branch, written) : [];
    if (files.length === 0) found.note(`The report of branch ${branch} is one from before, which has no files of its own.`);
    if (survey.bad.length > 0) {
      for (const file of files) await checkHash(file, found);
      found.note(`The report of branch ${branch} was checked by hash alone, since the journal it would be traced in is damaged.`);
      continue;
    }
    const replay = new ReportReplay(branch, head, isAncestor, written);
    await surveyJournal(folder.path, (record) => replay.add(record));
    await checkReport(files, written, await replay.finish(readableSources(ports.sources)), ports, found);
  }
}

/** The last report of an ancestry, unless the run has gone on after it. */
function standingReport(facts: EvidenceFacts, isAncestor: (seq: number) => boolean): ReportWritten | undefined {
  const written = facts.of("report_written").findLast(({ seq }) => isAncestor(seq));
  const reopened = facts.of("run_resumed").findLast(({ seq, data }) => data.reopens === true && isAncestor(seq));
  return written && (reopened === undefined || reopened.seq < written.seq) ? written : undefined;
}

/** A report file that no fact speaks of is one of an interruption, or its fact is lost: nobody may take it for checked. */
async function describeUnwritten(branch: string, folder: RunFolder, facts: EvidenceFacts): Promise<string> {
  const { markdown } = folder.report(branch);
  const name = relative(folder.path, markdown);
  const isRecorded = facts.of("report_written").some(({ data }) => data.path === name);
  const isThere = !isRecorded && (await readStored(markdown)).bytes !== undefined;
  return isThere
    ? `Branch ${branch} has not written its report yet; no fact records the ${name} that is there, and it was not checked.`
    : `Branch ${branch} has not written its report yet, so there is none to check.`;
}

/** True where the branch wrote the report itself, and after a rewind none in its place. */
function isOnDisk({ seq, data: { path } }: ReportWritten, branch: string, folder: RunFolder, facts: EvidenceFacts): boolean {
  const own = relative(folder.path, folder.report(branch).markdown);
  return path === own && facts.of("report_written").findLast(({ data }) => data.path === own)?.seq === seq;
}

function filesOf(folder: RunFolder, branch: string, { data }: ReportWritten): ReportFile[] {
  const { markdown, json } = folder.report(branch);
  return [
    { path: markdown, name: data.path, kind: "markdown", sha256: data.sha256 },
    { path: json, name: join(dirname(data.path), "report.json"), kind: "json", sha256: data.json_sha256 },
  ];
}

async function checkReport(
  files: readonly ReportFile[],
  written: ReportWritten,
  { record, draft, whyCode }: ReportBasis,
  ports: Pick<Ports, "report">,
  found: Outcome,
): Promise<void> {
  const name = written.data.path;
  if (written.data.by === "supervisor" && draft === undefined)
    return found.add("report_untraced", name, "The draft it was made from is not in the journal.");
  const rendered = ports.report.render(record, draft, whyCode);
  for (const file of files) await checkFile(file, rendered[file.kind], found);
  if (files.length === 0 && sha256(rendered.markdown) !== written.data.sha256)
    found.add("report_untraced", name, "The record does not give this report again.");
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

async function checkHash({ path, name, sha256: hash }: ReportFile, found: Outcome): Promise<void> {
  const { bytes: present, problem } = await readStored(path);
  if (present === undefined) found.add("report_changed", name, problem);
  else if (hash !== undefined && sha256(present) !== hash) found.add("report_changed", name, "It was changed since it was written.");
}

async function checkFile({ path, name, sha256: hash }: ReportFile, rendered: string, found: Outcome): Promise<void> {
  const { bytes: present, problem } = await readStored(path);
  if (present === undefined) return found.add("report_changed", name, problem);
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
