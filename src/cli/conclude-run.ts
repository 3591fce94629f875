import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { ExitCode, HypoError } from "../domain/errors.ts";
import { jsonForShell } from "../domain/shell-word.ts";
import type { BranchEnd } from "../engine/live-branch.ts";
import type { RunEnd } from "../engine/live-run.ts";
import { optionsToReopen } from "../engine/decide/reopen.ts";
import { runFolder } from "../engine/run-folder.ts";
import { openGate, type GateRecord, type RunState } from "../engine/state/run-state.ts";
import type { FollowOptions } from "./follow-run.ts";
import { writeErr, writeOut } from "./io.ts";
import { plainBlock } from "./output/plain-text.ts";
import { hypoFor } from "./project/hypo-for.ts";

/**
 * Says how a run ended or was left, branch by branch, and how to go on. Gives the exit code.
 *
 * @throws HypoError for a failure that ended this process's work.
 */
export async function conclude(run: string, { branches, exitCode }: RunEnd, options: FollowOptions): Promise<number> {
  const isSeveral = branches.length > 1;
  const hypo = hypoFor(options.project, options.io.cwd);
  for (const { branch, end } of branches) {
    if (isSeveral) writeErr(options.io, `Branch ${branch.name}:`);
    const resume = `${hypo} resume ${run}${branch.name === "main" && !isSeveral ? "" : ` --branch ${branch.name}`}`;
    if (end.left && isSeveral) writeErr(options.io, plainBlock(`${end.left.why}: ${end.left.detail}`));
    else if (end.left) throwFailure(end.left, resume);
    await sayEnd(run, branch.state, branch.name, end, resume, options);
  }
  return exitCode;
}

async function sayEnd(
  run: string,
  state: RunState,
  branch: string,
  end: BranchEnd,
  resume: string,
  { io, json, project }: FollowOptions,
): Promise<void> {
  const report = runFolder(project.state, run).report(branch).markdown;
  if (end.finished && !json) writeOut(io, shownPart(await readFile(report, "utf8"), io.isTty.stdout));
  if (!json) writeErr(io, `Report: ${relative(io.cwd, report)}`);
  const gate = openGate(state);
  if (end.left?.why === "gate" && gate) writeErr(io, `${gateText(hypoFor(project, io.cwd), run, gate)}\nThen go on with: ${resume}`);
  else if (end.left) writeErr(io, `The run is saved. Go on with: ${resume}`);
  else if (end.exitCode === ExitCode.noAnswer) writeErr(io, plainBlock(whyNoAnswer(state, resume)));
}

/** Why a run is over without an answer, and what would let it go on. */
function whyNoAnswer(state: RunState, resume: string): string {
  const { finish, report } = state;
  const noReport = report?.limit === undefined || report.limit === finish?.reason ? "" : `, but not its report: ${report.why_code}`;
  const options = optionsToReopen(state);
  const goOn = options.length === 0 ? "" : `\nGo on with: ${resume}, with more of ${options.join(", or ")}`;
  return `The run ended without an answer: ${finish?.reason}: ${finish?.detail}${noReport}.${goOn}`;
}

/** An open gate for a person, with the command that answers it, which takes nothing from a model but one word. */
export function gateText(hypo: string, run: string, gate: GateRecord): string {
  const output = jsonForShell(gate.options[0]?.value ?? "...");
  const options = gate.options.map((option) => `  ${JSON.stringify(option.value)}: ${option.label}`);
  const command = `${hypo} respond ${run} ${gate.seq} --event ANSWER --output ${output}`;
  return plainBlock([`The run waits for your decision: ${gate.prompt}`, ...options, `Answer it with: ${command}`].join("\n"));
}

/** Failures that ended this process's work are errors; everything recorded is kept. */
function throwFailure({ why, detail, error }: NonNullable<BranchEnd["left"]>, resume: string): void {
  const again = `Nothing that was recorded is lost. Go on with: ${resume}`;
  if (why === "credentials")
    throw new HypoError("credentials_refused", `The model's provider refused the credentials: ${detail}`, {
      hint: `Log in again with \`pi\` and \`/login\`. ${again}`,
    });
  if (why === "model") throw new HypoError("model_unavailable", `The model could not be asked: ${detail}`, { hint: again });
  if (why !== "failed") return;
  if (error instanceof HypoError)
    throw new HypoError(error.code, error.message, { hint: `${error.hint ?? ""} ${again}`.trim(), cause: error });
  throw error;
}

/** At a terminal the opening of a report; elsewhere all of it. */
function shownPart(report: string, isTerminal: boolean): string {
  if (!isTerminal) return report;
  const second = report.indexOf("\n## ", report.indexOf("\n## ") + 1);
  return plainBlock(second === -1 ? report : report.slice(0, second));
}
