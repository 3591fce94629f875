import { joinMarkdown, safe, type Markdown } from "./escape.ts";
import { renderEvidence } from "./markdown-evidence.ts";
import { renderExperiments } from "./markdown-experiments.ts";
import { renderHypotheses } from "./markdown-hypotheses.ts";
import { renderMethod } from "./markdown-method.ts";
import { renderOpening } from "./markdown-opening.ts";
import { anchor, heading, list, none, statement } from "./markdown-parts.ts";
import { renderReferences } from "./markdown-references.ts";
import type { Report, Section } from "./report-model.ts";

/** `report.md`: CommonMark with tables. The same report always gives the same text. */
export function renderMarkdown(report: Report): string {
  const blocks = [
    ...renderOpening(report),
    ...report.sections.flatMap(renderSection),
    ...renderEvidence(report.evidence),
    ...renderHypotheses(report.hypotheses),
    ...renderExperiments(report.experiments),
    heading(2, "Negative results"),
    list(report.negative_results.map(statement), none("No negative result was published.")),
    heading(2, "Open questions"),
    list(report.open_questions.map(renderQuestion), none("No question is open.")),
    heading(2, "Limits"),
    list(
      report.limits.map(({ text, from }) => safe`${text} (${from})`),
      none("No limit was stated, which is itself a reason for care."),
    ),
    ...renderMethod(report),
    ...renderReferences(report.references),
  ];
  return `${joinMarkdown(blocks, "\n\n").markdown}\n`;
}

function renderSection({ title, interpretation, claims }: Section): Markdown[] {
  const reading = (interpretation ?? "").split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "");
  const paragraphs = reading.map((paragraph, index) =>
    index === 0 ? safe`> *Interpretation, not evidence:* ${paragraph}` : safe`> ${paragraph}`,
  );
  const stated = claims.length > 0 || reading.length === 0 ? [list(claims.map(statement), none("Nothing."))] : [];
  return [heading(2, title), ...stated, ...(reading.length > 0 ? [joinMarkdown(paragraphs, "\n>\n")] : [])];
}

function renderQuestion(question: Report["open_questions"][number]): Markdown {
  return safe`${anchor(question.supports[0] ?? "")}${statement(question)}`;
}
