import { basename } from "node:path";
import { HypoError } from "../../domain/errors.ts";
import { sha256 } from "../../domain/hash.ts";
import type { SourceStore } from "../../domain/ports.ts";
import { surveyJournal, type JournalSurvey } from "../journal/survey.ts";
import { ReportReplay, type ReportBasis } from "../reconstruct-report.ts";
import type { Ports } from "../run-context.ts";
import type { RunFolder } from "../run-folder.ts";
import type { EvidenceFacts } from "./evidence-facts.ts";
import type { Outcome } from "./outcome.ts";
import { readIfThere } from "./read-files.ts";

type Written = ReturnType<typeof lastReport>;

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
    const written = lastReport(facts, isAncestor);
    if (written === undefined) {
      if (head > 0) found.note(`Branch ${branch} has not written its report yet, so there is none to check.`);
      continue;
    }
    if (survey.bad.length > 0) {
      await checkHashes(folder.report(branch), written, found);
      found.note(`The report of branch ${branch} was checked by hash alone, since the journal it would be traced in is damaged.`);
      continue;
    }
    const replay = new ReportReplay(branch, head, isAncestor, written);
    await surveyJournal(folder.path, (record) => replay.add(record));
    await checkReport(folder.report(branch), written, await replay.finish(readableSources(ports.sources)), ports, found);
  }
}

function lastReport(facts: EvidenceFacts, isAncestor: (seq: number) => boolean) {
  return facts.of("report_written").findLast(({ seq }) => isAncestor(seq));
}

async function checkReport(
  place: ReturnType<RunFolder["report"]>,
  written: NonNullable<Written>,
  { record, draft, whyCode }: ReportBasis,
  ports: Pick<Ports, "report">,
  found: Outcome,
): Promise<void> {
  if (written.data.by === "supervisor" && draft === undefined)
    return found.add("report_untraced", basename(place.markdown), "The draft it was made from is not in the journal.");
  const rendered = ports.report.render(record, draft, whyCode);
  const { sha256: markdown, json_sha256: json } = written.data;
  await checkFile(place.markdown, rendered.markdown, markdown, found);
  await checkFile(place.json, rendered.json, json, found);
  if (draft === undefined) return;
  found.checked.claims += draft.sections.reduce((sum, { claims }) => sum + claims.length, 1);
  for (const { where, problem } of ports.report.check(draft, record))
    found.add("claim_unsupported", `${basename(place.markdown)}, ${where}`, problem);
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

async function checkHashes(place: ReturnType<RunFolder["report"]>, { data }: NonNullable<Written>, found: Outcome): Promise<void> {
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
