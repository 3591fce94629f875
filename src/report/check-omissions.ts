import type { Finding } from "../domain/finding.ts";
import type { ReportDraft } from "../domain/report-draft.ts";
import type { ReportProblem } from "../domain/run-record.ts";
import { listAssertions, supportsOf, textOf } from "./assertions.ts";
import type { Experiment, Item, RecordIndex } from "./record-index.ts";
import { isWithdrawn } from "./standing.ts";

/** What speaks against something cited. */
interface Opponent {
  id: string;
  /** Ids that answer it as well, such as the hypothesis that an experiment contradicted. */
  aliases: string[];
  how: string;
}

/** What contradicts something cited has to be named somewhere in the draft, be it as support or in its words. */
export function checkOmissions(draft: ReportDraft, index: RecordIndex): ReportProblem[] {
  const words = textOf(draft);
  const cited = new Set(supportsOf(draft).map((id) => index.resolve(id)?.id ?? id));
  const isNamed = (id: string): boolean => cited.has(id) || namesId(words, id);
  const missing = listAssertions(draft).flatMap(({ where, supports }) =>
    supports.flatMap((support) =>
      opponentsOf(index.resolve(support), index)
        .filter(({ id, aliases }) => !isNamed(id) && !aliases.some((alias) => alias !== support && isNamed(alias)))
        .map((opponent) => ({ where, support, opponent })),
    ),
  );
  const once = Array.from(Map.groupBy(missing, ({ opponent }) => opponent.id).values(), ([first]) => first);
  return once.filter((omission) => omission !== undefined).map(describeOmission);
}

function describeOmission({
  where,
  support,
  opponent: { id, how },
}: {
  where: string;
  support: string;
  opponent: Opponent;
}): ReportProblem {
  return {
    where,
    problem: `${support} is cited, but ${id}, which ${how}, is named nowhere in the draft.`,
    mend: `Add a claim that rests on ${id}, or weigh it in \`interpretation\` or \`limitations\` by its id.`,
  };
}

/** True where a text holds the id as a whole word. */
function namesId(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) && !/[\p{L}\p{N}]/u.test(text.charAt(at + id.length))) return true;
  }
  return false;
}

function opponentsOf(item: Item | undefined, index: RecordIndex): Opponent[] {
  if (item === undefined || item.kind === "source") return [];
  if (item.kind === "experiment") {
    const tests = contradictedTests(item.experiment.plan.hypothesis, index).filter(({ id }) => id !== item.id);
    return [...contradicting(item.id, undefined, index), ...tests];
  }
  const hypotheses = item.kind === "hypothesis" ? [item.id] : hypothesesBehind(item.finding, index);
  return [...contradicting(item.id, item.finding, index), ...hypotheses.flatMap((id) => contradictedTests(id, index))];
}

/** Hypotheses that a finding's experiments test or that it supports, refines or replicates. */
function hypothesesBehind({ experiments, related }: Finding, index: RecordIndex): string[] {
  const tested = experiments.map((id) => hypothesisOf(id, index));
  return [...tested, ...related.filter(({ kind }) => kind !== "contradicts").map(({ to }) => to)];
}

function hypothesisOf(id: string, index: RecordIndex): string {
  const item = index.resolve(id);
  return item?.kind === "experiment" ? item.experiment.plan.hypothesis : "";
}

/** Findings that contradict an id or that it contradicts, and replications of it that failed. */
function contradicting(id: string, finding: Finding | undefined, index: RecordIndex): Opponent[] {
  const against = index.relating(id).flatMap((other): Opponent[] => {
    if (isWithdrawn(other)) return [];
    const kinds = new Set(other.related.filter(({ to }) => to === id).map(({ kind }) => kind));
    if (kinds.has("contradicts")) return [{ id: other.id, aliases: [], how: "contradicts it" }];
    return kinds.has("replicates") && other.negative_result ? [{ id: other.id, aliases: [], how: "is a failed replication of it" }] : [];
  });
  const contradicted = (finding?.related ?? []).flatMap(({ kind, to }): Opponent[] => {
    const other = kind === "contradicts" ? index.resolve(to) : undefined;
    if (other === undefined || other.kind === "source" || (other.kind === "finding" && isWithdrawn(other.finding))) return [];
    return [{ id: other.id, aliases: [], how: "it contradicts" }];
  });
  return [...against, ...contradicted];
}

/** Experiments on a hypothesis that a reviewer found to contradict it. */
function contradictedTests(hypothesis: string, index: RecordIndex): Opponent[] {
  return index
    .experimentsOf(hypothesis)
    .filter(isContradicted)
    .map(({ id }) => ({ id, aliases: [hypothesis], how: `contradicted hypothesis ${hypothesis}` }));
}

function isContradicted(experiment: Experiment): boolean {
  return experiment.reviews.some(({ verdict }) => verdict === "contradicted");
}
