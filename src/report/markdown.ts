import { joinMarkdown, md, type Markdown } from "./escape.ts";
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
    heading(
      2,
      md`
Negative results
      `,
    ),
    list(report.negative_results.map(statement), none("No negative result was published.")),
    heading(
      2,
      md`
Open questions
      `,
    ),
    list(report.open_questions.map(renderQuestion), none("No question is open.")),
    heading(
      2,
      md`
Limits
      `,
    ),
    list(
      report.limits.map(({ text, from }) => md`${text} (${from})`),
      none("No limit was stated, which is itself a reason for care."),
    ),
    ...renderMethod(report),
    ...renderReferences(report.references),
  ];
  return `${joinMarkdown(blocks, "\n\n").markdown}\n`;
}

function renderSection({ title, interpretation, claims }: Section): Markdown[] {
  const reading = (interpretation ?? "").split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "");
  return [
    heading(2, md`${title}`),
    ...(claims.length > 0 || reading.length === 0 ? [list(claims.map(statement), none("Nothing."))] : []),
    ...reading.map((paragraph, index) => (index === 0 ? md`> *Interpretation, not evidence:* ${paragraph}` : md`> ${paragraph}`)),
  ];
}

function renderQuestion(question: Report["open_questions"][number]): Markdown {
  return md`${anchor(question.supports[0] ?? "")}${statement(question)}`;
}
