import { countDocuments } from "./independence.ts";
import type { RecordIndex } from "./record-index.ts";
import type { SupportCounts } from "./report-model.ts";
import { isDisagreement, isWithdrawn, lastReview } from "./standing.ts";
import { closeSupport, type SupportClosure } from "./support-closure.ts";

/** Counts what ids rest on; the whole record where there are none. */
export function countSupport(ids: string[], index: RecordIndex): SupportCounts {
  const { run } = index;
  const everything = [run.findings, run.hypotheses, run.experiments].flatMap((items) => items.map(({ id }) => id));
  const closure = closeSupport(ids.length === 0 ? everything : ids, index);
  const findings = closure.findings.filter((finding) => !isWithdrawn(finding));
  const sources = closure.sources.map((id) => ({ id, record: run.sources[id] }));
  const replicating = [...closure.findings, ...closure.hypotheses, ...closure.experiments].flatMap(({ id }) =>
    index.relating(id).filter((other) => !isWithdrawn(other) && other.related.some(({ kind, to }) => kind === "replicates" && to === id)),
  );
  const replications = Array.from(new Set(replicating));
  return {
    whole_record: ids.length === 0,
    findings: findings.length,
    corroborated: findings.filter(({ status }) => status === "corroborated").length,
    contested: findings.filter(({ status }) => status === "contested").length,
    sources: sources.length,
    independent_sources: countDocuments(sources),
    verdicts: listVerdicts(closure),
    replications: replications.filter((finding) => !finding.negative_result).length,
    failed_replications: replications.filter((finding) => finding.negative_result).length,
    ...countExecutions(closure),
  };
}

function listVerdicts({ experiments }: SupportClosure): SupportCounts["verdicts"] {
  return experiments.flatMap((experiment) => {
    const review = lastReview(experiment);
    return review === undefined ? [] : { experiment: experiment.id, hypothesis: experiment.plan.hypothesis, verdict: review.verdict };
  });
}

function countExecutions({ experiments }: SupportClosure): { repeated_executions: number; disagreements: number } {
  const completed = experiments.map(({ executions }) => executions.filter(({ status }) => status === "completed").length);
  const disagreements = experiments.flatMap(({ executions, reviews }) =>
    reviews.filter((review) =>
      isDisagreement(
        review,
        executions.find(({ execution }) => execution === review.execution),
      ),
    ),
  );
  return { repeated_executions: completed.reduce((sum, count) => sum + Math.max(0, count - 1), 0), disagreements: disagreements.length };
}

/** The counts as sentences; what is nought and matters is said too. */
export function describeCounts(counts: SupportCounts): string[] {
  const verdicts = counts.verdicts.map(({ experiment, verdict }) => `${experiment} ${verdict}`).join(", ");
  return [
    `${count(counts.findings, "finding")}, ${counts.corroborated} of them corroborated${counts.contested > 0 ? `, ${counts.contested} contested` : ""}`,
    counts.sources === 0
      ? "no supporting source"
      : `${count(counts.sources, "supporting source")}, ${count(counts.independent_sources, "independent document")}`,
    counts.verdicts.length === 0 ? "no verdict from a reviewed test" : `${count(counts.verdicts.length, "verdict")} (${verdicts})`,
    describeReplications(counts),
    ...(counts.disagreements > 0 ? [`${count(counts.disagreements, "disagreement")} between a reviewer and the frozen criteria`] : []),
  ];
}

function describeReplications(counts: SupportCounts): string {
  const parts = [counts.replications === 0 ? "no replication" : count(counts.replications, "replication")];
  if (counts.failed_replications > 0) parts.push(count(counts.failed_replications, "failed replication"));
  if (counts.repeated_executions > 0) parts.push(count(counts.repeated_executions, "repeated execution"));
  return parts.join(", ");
}

/** `1 source`, `2 sources`, `3 hypotheses`. */
export function count(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun.endsWith("is") ? noun.replace(/is$/, "es") : `${noun}s`}`;
}
