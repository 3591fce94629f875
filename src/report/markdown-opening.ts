import { safe, type Markdown } from "./escape.ts";
import { heading, statement } from "./markdown-parts.ts";
import type { Opening, Report } from "./report-model.ts";

const REHEARSAL = safe`**Rehearsal:** the model was a script that ships with hypo, so this report shows how a run works and answers nothing.`;

/** The question, the answer, how sure it is and why, and what would change it. */
export function renderOpening({ rehearsal, question, opening, written_by, why_code }: Report): Markdown[] {
  return [
    ...(rehearsal ? [REHEARSAL] : []),
    heading(1, question.trim() === "" ? "Report" : question),
    ...(written_by === "code" ? [safe`> This report was written by code from the run's record alone: ${why_code ?? ""}`] : []),
    safe`**Answer.** ${statement(opening.answer)}`,
    renderConfidence(opening),
    safe`**What would change it.** ${opening.would_change}`,
  ];
}

function renderConfidence({ confidence, counts, reasons }: Opening): Markdown {
  const basis = counts.whole_record ? "The record holds" : "The answer rests on";
  return safe`**Confidence: ${confidence}.** ${basis}: ${reasons.join("; ")}.`;
}
