import type { ReportWriter } from "../domain/ports.ts";
import type { ReferenceCheck } from "../domain/reference-check.ts";
import type { ReportDraft } from "../domain/report-draft.ts";
import type { RunRecord } from "../domain/run-record.ts";
import { renderBibtex } from "./bibtex.ts";
import { buildReport } from "./build-report.ts";
import { checkDraft, checkSections } from "./check.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Report } from "./report-model.ts";

/** The report: checks a draft against the record, builds one model from both and renders it as Markdown and JSON. */
export function createReportWriter(): ReportWriter {
  return {
    check: checkDraft,
    checkSections,
    render(run, draft, whyCode) {
      const report = buildReport(run, draft, whyCode);
      return { markdown: renderMarkdown(report), json: renderJson(report) };
    },
  };
}

/** The forms a report is given away in; all render the one model. */
const RENDERERS = { md: renderMarkdown, html: renderHtml, json: renderJson, bibtex: renderBibtex } satisfies Record<
  string,
  (report: Report) => string
>;
export type ExportFormat = keyof typeof RENDERERS;

/** A report to give away, with what checking its references came to where that was asked for. Pure. */
export function exportReport(
  format: ExportFormat,
  run: RunRecord,
  draft: ReportDraft | undefined,
  options: { whyCode?: string | undefined; checks?: ReadonlyMap<string, ReferenceCheck> | undefined } = {},
): string {
  return RENDERERS[format](buildReport(run, draft, options.whyCode, options.checks));
}

export { renderBibtexEntry } from "./bibtex.ts";
export { seenText } from "./escape.ts";
export { findStale, type StaleItem, type StaleRun } from "./staleness.ts";
export { listSeeds } from "./stale-seeds.ts";
