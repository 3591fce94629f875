import { ReportDraft } from "../../domain/run-record.ts";
import { describeProblems, MOST_REFUSALS, writeReport } from "../report-phase.ts";
import { defineTool, refusal, say } from "./tool.ts";

const LAST_REFUSAL = {
  ...refusal(`${MOST_REFUSALS} drafts were refused, so the report is written from the run's record alone. End your turn.`),
  endsTurn: true,
};

export const writeReportTool = defineTool({
  name: "write_report",
  description:
    "Hands in the report as structured claims, each with the ids it rests on. Code checks it, renders it and builds the references. What is refused comes back with what to mend, three times at most.",
  input: ReportDraft,
  class: "reconcilable",
  async run(draft, { run }) {
    const { state } = run.log;
    if (!state.stopping)
      return refusal("The research is still going on. Close it with research_control finish; then you are asked for the report.");
    if (state.report) return { ...say("The report is written."), endsTurn: true };
    if (state.refusedDrafts >= MOST_REFUSALS) return LAST_REFUSAL;
    const problems = await describeProblems(run, draft);
    if (problems.length > 0) {
      const refused = refusal(`The report is refused:\n${problems.map((each) => `- ${each}`).join("\n")}`);
      return state.refusedDrafts + 1 < MOST_REFUSALS
        ? refused
        : { ...refused, text: `${refused.text}\n${LAST_REFUSAL.text}`, endsTurn: true };
    }
    await writeReport(run, draft);
    return { ...say("The report is written."), endsTurn: true };
  },
});
