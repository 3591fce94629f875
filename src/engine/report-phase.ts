import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import type { EventData } from "../domain/events.ts";
import { sha256 } from "../domain/hash.ts";
import type { ReportDraft, ReportSection } from "../domain/report-draft.ts";
import type { ReportProblem } from "../domain/run-record.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import type { AgentWorker } from "./agent/agent-worker.ts";
import type { Stop } from "./decide/stop.ts";
import { closingPrompt, groupFindings, partPrompt, wholePrompt } from "./prompts/report-prompts.ts";
import { roomFor } from "./prompts/standing.ts";
import { assembleDraft, draftIn, MOST_REFUSALS, readWholeDraft } from "./report-draft.ts";
import type { RunContext } from "./run-context.ts";
import { event } from "./run-log.ts";
import { makeRunRecord } from "./run-record.ts";
import type { RunState } from "./state/run-state.ts";

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
  const { report } = run.log.state;
  if (report) return (await isInPlace(run, report)) ? undefined : writeAgain(run, report);
  let whyCode = `the run ended by ${stop.reason}`;
  if (!root.ending && !WITHOUT_MODEL.has(stop.reason)) {
    await askForReport(run, root, stop);
    if (isSuspended(root)) return;
    if (root.callError?.endsRun) return run.fail(root.callError);
    whyCode = root.callError?.message ?? whyNoReport(run.log.state);
  }
  if (!run.log.state.report) await writeReport(run, { whyCode, limit: limitOf(root) });
}

/** The limit that a supervisor came up against when it was asked for its report. */
function limitOf({ callError, ending }: AgentWorker): Limit | undefined {
  if (callError?.reason === "budget_exhausted") return "budget_exhausted";
  const isOutOfTime = ending && !("suspended" in ending) && ending.reason === "wall_time";
  return isOutOfTime ? "wall_time" : undefined;
}

/** True where a report lies where the branch's own does: no other branch wrote it, and none has taken its place since. */
async function isInPlace(run: RunContext, { path, sha256: hash }: EventData<"report_written">): Promise<boolean> {
  const present = await readFile(run.folder.report(run.branch).markdown).catch(() => undefined);
  return path === pathOf(run) && present !== undefined && sha256(present) === hash;
}

/** A branch that goes on after an earlier report has it written once more, in its own place and with its own record. */
async function writeAgain(run: RunContext, { by, call, why_code, limit }: EventData<"report_written">): Promise<void> {
  let args: unknown;
  for await (const fact of run.log.ancestry()) args = draftIn(fact, call) ?? args;
  const read = by === "supervisor" ? readWholeDraft(args) : undefined;
  if (read && "draft" in read) await writeReport(run, { draft: assembleDraft(run.log.state, read.draft), call });
  else await writeReport(run, { whyCode: why_code ?? "the draft that the report was made of is not in the journal", limit });
}

/** The number of the part of a report in rounds that is to come next; undefined where a whole draft is. */
export function nextPart(run: RunContext): number | undefined {
  const { state } = run.log;
  const parts = groupFindings(state, roomFor(run.models.supervisor)).length;
  return state.reportParts.length < parts ? state.reportParts.length + 1 : undefined;
}

/** Asks part by part where one prompt cannot hold all findings, then for the whole or what closes it. */
async function askForReport(run: RunContext, root: AgentWorker, stop: Stop): Promise<void> {
  const { state } = run.log;
  const room = roomFor(run.models.supervisor);
  // A run that was reopened after its first report is asked for another one.
  const tag = `report after ${state.iterations.length}`;
  // What came with the last step of the research is heard before it is reported on.
  while (root.ending === undefined && root.callError === undefined && (await root.askWaiting()));
  for (let part = nextPart(run); part !== undefined; part = nextPart(run)) {
    const mayGoOn = await askOnce(root, `${tag}, part ${part}`, () => partPrompt(part, groupFindings(state, room), stop));
    if (!mayGoOn || state.reportParts.length < part) return;
  }
  await askOnce(root, tag, () => (state.reportParts.length > 0 ? closingPrompt(state, room) : wholePrompt(state, stop, room)));
}

/** Asks unless a process before this one did. False where the supervisor cannot be asked any more. */
async function askOnce(root: AgentWorker, tag: string, prompt: () => string): Promise<boolean> {
  if (!root.asked.includes(tag)) await root.ask(prompt(), tag);
  return root.ending === undefined && root.callError === undefined;
}

function whyNoReport({ refusedDrafts, reportParts }: RunState): string {
  if (refusedDrafts >= MOST_REFUSALS) return `${refusedDrafts} drafts of the supervisor were refused`;
  return reportParts.length > 0
    ? `the supervisor handed in ${reportParts.length} parts of a report and did not finish it`
    : "the supervisor handed in no report";
}

function isSuspended({ ending }: AgentWorker): boolean {
  return ending !== undefined && "suspended" in ending;
}

/** What a whole draft has to mend. */
export async function checkWhole(run: RunContext, draft: ReportDraft): Promise<ReportProblem[]> {
  return run.ports.report.check(draft, await recordOf(run, stopOf(run.log.state)));
}

/** What a part of a draft has to mend. */
export async function checkPart(run: RunContext, sections: ReportSection[]): Promise<ReportProblem[]> {
  return run.ports.report.checkSections(sections, await recordOf(run, stopOf(run.log.state)));
}

/** What a report is made of: a draft and the call that handed it in, or the reason why code writes it. */
type Making =
  | { draft: ReportDraft; call: string | undefined; whyCode?: undefined; limit?: undefined }
  | { draft?: undefined; call?: undefined; whyCode: string; limit: Limit | undefined };

type Limit = NonNullable<EventData<"report_written">["limit"]>;

/** Renders the report, writes its two files, and records it. */
export async function writeReport(run: RunContext, { draft, call, whyCode, limit }: Making): Promise<void> {
  const { state, ledger } = run.log;
  // The ledger tells of all branches, and so may facts that this one does not hold.
  const record_head = ledger.head;
  const { markdown, json } = await writeReportFiles(run, draft, stopOf(state), whyCode);
  await run.log.record(
    event("report_written", {
      by: draft ? "supervisor" : "code",
      path: pathOf(run),
      ...(call === undefined ? {} : { call }),
      sha256: sha256(markdown),
      json_sha256: sha256(json),
      record_head,
      refused: state.refusedDrafts,
      answered: draft !== undefined && draft.confidence !== "none",
      ...(whyCode === undefined ? {} : { why_code: whyCode }),
      ...(limit === undefined ? {} : { limit }),
    }),
  );
}

/** Where a branch's own report lies, below the run's folder. */
function pathOf({ folder, branch }: RunContext): string {
  return relative(folder.path, folder.report(branch).markdown);
}

/**
 * The plain report of a run that is interrupted and not over: files only, made anew at its real end. One that is
 * interrupted when its report is written already keeps that.
 */
export async function writeInterimReport(run: RunContext, stop: Stop): Promise<void> {
  if (run.log.state.report?.path === pathOf(run)) return;
  await writeReportFiles(run, undefined, stop, `the run is interrupted: ${stop.detail}`);
}

async function writeReportFiles(run: RunContext, draft: ReportDraft | undefined, stop: Stop, whyCode: string | undefined) {
  const place = run.folder.report(run.branch);
  const rendered = run.ports.report.render(await recordOf(run, stop), draft, whyCode);
  await writeFileAtomic(place.json, rendered.json);
  await writeFileAtomic(place.markdown, rendered.markdown);
  run.crashAt("report.files_written");
  return rendered;
}

function recordOf({ log: { state, ledger }, branch, ports }: RunContext, stop: Stop) {
  return makeRunRecord({ state, ledger, branch }, ports.sources, stop);
}

/** Why a run has stopped, as its report says it. */
export function stopOf(state: RunState): Stop {
  return state.stopping ?? { reason: "internal_error", detail: "the run has not been stopped" };
}
