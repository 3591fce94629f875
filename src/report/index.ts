import type { ReportWriter } from "../domain/ports.ts";
import { buildReport } from "./build-report.ts";
import { checkDraft } from "./check.ts";
import { renderJson } from "./json.ts";
import { renderMarkdown } from "./markdown.ts";

/** The report: checks a draft against the record, builds one model from both and renders it as Markdown and JSON. */
export function createReportWriter(): ReportWriter {
  return {
    check: checkDraft,
    render(run, draft, whyCode) {
      const report = buildReport(run, draft, whyCode);
      return { markdown: renderMarkdown(report), json: renderJson(report) };
    },
  };
}
