import { relative } from "node:path";
import { sha256 } from "../domain/hash.ts";
import type { ReportDraft } from "../domain/run-record.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import type { AgentWorker } from "./agent/agent-worker.ts";
import type { Stop } from "./decide/stop.ts";
import { reportPrompt } from "./prompts/agent-prompts.ts";
import type { RunContext } from "./run-context.ts";
import { event } from "./run-log.ts";
import { makeRunRecord } from "./run-record.ts";

/** A draft is refused so often at most; then code writes the report. */
export const MOST_REFUSALS = 3;
/** After these the model is not asked any more. */
const WITHOUT_MODEL = new Set<Stop["reason"]>([
  "budget_exhausted",
  "wall_time",
  "credentials_refused",
  "model_unavailable",
  "internal_error",
  "cancelled",
]);

/** The end of every run: the supervisor's report if it stands up to the checks, else a plain one from the journal alone. */
export async function makeReport(run: RunContext, root: AgentWorker, stop: Stop): Promise<void> {
  const { state } = run.log;
  if (state.report) return;
  let whyCode = `the run ended by ${stop.reason}`;
  if (!root.ending && !WITHOUT_MODEL.has(stop.reason)) {
    // A run that was reopened after its first report is asked for another one.
    const tag = `report after ${state.iterations.length}`;
    if (!root.asked.includes(tag)) await root.ask(reportPrompt(state, stop), tag);
    if (isSuspended(root)) return;
    if (root.callError?.endsRun) return run.fail(root.callError);
    whyCode =
      root.callError?.message ??
      (state.refusedDrafts >= MOST_REFUSALS
        ? `${state.refusedDrafts} drafts of the supervisor were refused`
        : "the supervisor handed in no report");
  }
  if (!run.log.state.report) await writeReport(run, undefined, whyCode);
}

function isSuspended({ ending }: AgentWorker): boolean {
  return ending !== undefined && "suspended" in ending;
}

/** What a draft has to mend, as lines for the model. */
export async function describeProblems(run: RunContext, draft: ReportDraft): Promise<string[]> {
  const record = await makeRunRecord(run, stopOf(run));
  const problems = run.ports.report.check(draft, record);
  return problems.map(({ where, problem, mend }) => `${where}: ${problem} ${mend}`);
}

/** Renders the report, writes its two files, and records it. */
export async function writeReport(run: RunContext, draft: ReportDraft | undefined, whyCode?: string): Promise<void> {
  const { state } = run.log;
  const markdown = await writeReportFiles(run, draft, stopOf(run), whyCode);
  await run.log.record(
    event("report_written", {
      by: draft ? "supervisor" : "code",
      path: relative(run.folder.path, run.folder.report(run.branch).markdown),
      sha256: sha256(markdown),
      refused: state.refusedDrafts,
      answered: draft !== undefined && draft.confidence !== "none",
      ...(whyCode === undefined ? {} : { why_code: whyCode }),
    }),
  );
}

/** The plain report of a run that is interrupted and not over: files only, made anew at its real end. */
export async function writeInterimReport(run: RunContext, stop: Stop): Promise<void> {
  await writeReportFiles(run, undefined, stop, `the run is interrupted: ${stop.detail}`);
}

async function writeReportFiles(run: RunContext, draft: ReportDraft | undefined, stop: Stop, whyCode: string | undefined): Promise<string> {
  const place = run.folder.report(run.branch);
  const { markdown, json } = run.ports.report.render(await makeRunRecord(run, stop), draft, whyCode);
  await writeFileAtomic(place.json, json);
  await writeFileAtomic(place.markdown, markdown);
  run.crashAt("report.files_written");
  return markdown;
}

function stopOf(run: RunContext): Stop {
  return run.log.state.stopping ?? { reason: "internal_error", detail: "the run has not been stopped" };
}
