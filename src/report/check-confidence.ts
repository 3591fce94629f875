import type { ReportDraft } from "../domain/report-draft.ts";
import type { ReportProblem } from "../domain/run-record.ts";
import { supportsOf } from "./assertions.ts";
import { closeSupport } from "./support-closure.ts";
import type { RecordIndex } from "./record-index.ts";
import { isDecisive, isWithdrawn, lastReview } from "./standing.ts";

/** An answer needs support, and high confidence a verdict or a corroborated finding among what the draft cites. */
export function checkConfidence(draft: ReportDraft, index: RecordIndex): ReportProblem[] {
  return [...checkAnswerSupport(draft), ...checkHighConfidence(draft, index)];
}

function checkAnswerSupport(draft: ReportDraft): ReportProblem[] {
  if (draft.answer_supports.length > 0 || draft.confidence === "none") return [];
  return [
    {
      where: "answer_supports",
      problem: `The answer has no support, but its confidence is ${draft.confidence}.`,
      mend: "Name the findings or experiments it rests on, or set confidence to none and say that the answer is not known.",
    },
  ];
}

function checkHighConfidence(draft: ReportDraft, index: RecordIndex): ReportProblem[] {
  if (draft.confidence !== "high") return [];
  const { findings, experiments } = closeSupport(supportsOf(draft), index);
  const isCorroborated = findings.some((finding) => finding.status === "corroborated" && !isWithdrawn(finding));
  const hasVerdict = experiments.some((experiment) => {
    const review = lastReview(experiment);
    return review !== undefined && isDecisive(review);
  });
  if (isCorroborated || hasVerdict) return [];
  return [
    {
      where: "confidence",
      problem: "High confidence, but nothing the draft cites was corroborated by independent sources or decided by a reviewed test.",
      mend: "Cite a corroborated finding or an experiment with a verdict, or lower the confidence to moderate.",
    },
  ];
}
