import { joinMarkdown, md, type Markdown } from "./escape.ts";
import { heading, statement } from "./markdown-parts.ts";
import type { Opening, Report } from "./report-model.ts";

/** The question, the answer, how sure it is and why, and what would change it. */
export function renderOpening({ rehearsal, question, opening, written_by, why_code }: Report): Markdown[] {
  return [
    ...(rehearsal
      ? [
          md`
**Rehearsal:** the model was a script that ships with hypo, so this report shows how a run works and answers nothing.
          `,
        ]
      : []),
    heading(1, md`${question.trim() === "" ? "Report" : question}`),
    ...(written_by === "code" ? [md`> This report was written by code from the run's record alone: ${why_code ?? ""}`] : []),
    md`**Answer.** ${statement(opening.answer)}`,
    renderConfidence(opening),
    md`**What would change it.** ${opening.would_change}`,
  ];
}

function renderConfidence({ confidence, counts, reasons }: Opening): Markdown {
  const basis = counts.whole_record ? "The record holds" : "The answer rests on";
  return md`**Confidence: ${confidence}.** ${basis}: ${joinMarkdown(
    reasons.map((reason) => md`${reason}`),
    "; ",
  )}.`;
}
