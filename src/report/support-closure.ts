import type { Finding } from "../domain/finding.ts";
import type { Experiment, Hypothesis, RecordIndex } from "./record-index.ts";

/** Everything that ids rest on, each once, in the order in which it is reached. */
export interface SupportClosure {
  findings: Finding[];
  hypotheses: Hypothesis[];
  experiments: Experiment[];
  /** Ids of the sources that are quoted or named. */
  sources: string[];
}

/** Follows ids to the evidence: hypotheses to their experiments, findings to their experiments and sources. */
export function closeSupport(ids: string[], index: RecordIndex): SupportClosure {
  const findings = new Set<Finding>();
  const hypotheses = new Set<Hypothesis>();
  const experiments = new Set<Experiment>();
  const sources = new Set<string>();
  const addFinding = (finding: Finding): void => {
    findings.add(finding);
    for (const { source } of finding.evidence) sources.add(source);
    for (const id of finding.experiments) addItem(id);
  };
  const addItem = (id: string): void => {
    const item = index.resolve(id);
    if (item?.kind === "source") sources.add(item.id);
    if (item?.kind === "experiment") experiments.add(item.experiment);
    if (item?.kind === "finding" && !findings.has(item.finding)) addFinding(item.finding);
    if (item?.kind !== "hypothesis" || hypotheses.has(item.hypothesis)) return;
    hypotheses.add(item.hypothesis);
    if (item.finding !== undefined) addFinding(item.finding);
    for (const experiment of index.experimentsOf(item.id)) experiments.add(experiment);
  };
  ids.forEach(addItem);
  return {
    findings: Array.from(findings),
    hypotheses: Array.from(hypotheses),
    experiments: Array.from(experiments),
    sources: Array.from(sources),
  };
}
