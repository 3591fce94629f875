import { ReportDraft } from "../../domain/run-record.ts";
import { describeProblems, writeReport } from "../report-phase.ts";
import { defineTool, refusal, say } from "./tool.ts";

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
    const problems = await describeProblems(run, draft);
    if (problems.length > 0) return refusal(`The report is refused:\n${problems.map((each) => `- ${each}`).join("\n")}`);
    await writeReport(run, draft);
    return { ...say("The report is written."), endsTurn: true };
  },
});
