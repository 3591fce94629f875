import type { ReportProblem } from "../../domain/run-record.ts";
import type { ToolOutput } from "../../domain/ports.ts";
import { assembleDraft, DraftInput, MOST_REFUSALS, readWholeDraft } from "../report-draft.ts";
import { checkPart, checkWhole, nextPart, writeReport } from "../report-phase.ts";
import { event } from "../run-log.ts";
import { defineTool, refusal, say, type ToolCallContext } from "./tool.ts";

const WRITTEN: ToolOutput = { ...say("The report is written."), endsTurn: true };

const LAST_WORD = `${MOST_REFUSALS} drafts were refused, so the report is written from the run's record alone. End your turn.`;

export const writeReportTool = defineTool({
  name: "write_report",
  description:
    "Hands in the report as structured claims, each with the ids it rests on: answer, confidence, would_change and sections, or one part of them where you are asked for parts. Code checks it, renders it and builds the references. What is refused comes back with what to mend, three times at most.",
  input: DraftInput,
  class: "reconcilable",
  refuseArguments: (problem, { run }) => (run.log.state.stopping ? refuse(problem, run.log.state.refusedDrafts) : refusal(problem)),
  async run(input, context) {
    const { state } = context.run.log;
    if (!state.stopping)
      return refusal("The research is still going on. Close it with research_control finish; then you are asked for the report.");
    if (state.report) return WRITTEN;
    if (state.reportParts.some(({ call }) => call === context.call)) return accepted(input.part ?? 0);
    if (state.refusedDrafts >= MOST_REFUSALS) return refuse("No further draft is taken.", state.refusedDrafts);
    const part = nextPart(context.run);
    return part === undefined ? takeWhole(input, context) : takePart(input, part, context);
  },
});

async function takeWhole(input: DraftInput, { run, call }: ToolCallContext): Promise<ToolOutput> {
  const { state } = run.log;
  const read = readWholeDraft(input);
  if ("problem" in read) return refuse(`The report is refused: ${read.problem}`, state.refusedDrafts);
  const draft = assembleDraft(state, read.draft);
  const problems = await checkWhole(run, draft);
  if (problems.length > 0) return refuse(`The report is refused:\n${listProblems(problems)}`, state.refusedDrafts);
  await writeReport(run, { draft, call });
  return WRITTEN;
}

async function takePart(
  { part, digest, sections }: DraftInput,
  wanted: number,
  { run, agent, call }: ToolCallContext,
): Promise<ToolOutput> {
  const { refusedDrafts } = run.log.state;
  if (part !== wanted || digest === undefined || sections.length === 0)
    return refuse(`Part ${wanted} of the report is asked for: part: ${wanted}, sections and digest.`, refusedDrafts);
  const problems = await checkPart(run, sections);
  if (problems.length > 0) return refuse(`Part ${part} is refused:\n${listProblems(problems)}`, refusedDrafts);
  await run.log.record(event("report_part_drafted", { agent, call, part, sections, digest }));
  return accepted(part);
}

function accepted(part: number): ToolOutput {
  return { ...say(`Part ${part} is taken.`), endsTurn: true };
}

function listProblems(problems: ReportProblem[]): string {
  return problems.map(({ where, problem, mend }) => `- ${where}: ${problem} ${mend}`).join("\n");
}

/** A refusal that counts; the last one ends the turn. */
function refuse(text: string, before: number): ToolOutput {
  if (before + 1 < MOST_REFUSALS) return refusal(text);
  return { ...refusal(`${text}\n${LAST_WORD}`), endsTurn: true };
}
