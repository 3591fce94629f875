import type { Finding } from "../domain/finding.ts";
import type { RunRecord } from "../domain/run-record.ts";
import type { SourceRecord } from "../domain/source.ts";

export type Hypothesis = RunRecord["hypotheses"][number];
export type Experiment = RunRecord["experiments"][number];
export type Execution = Experiment["executions"][number];

/** Something of the run that an id names. */
export type Item =
  | { kind: "finding"; id: string; finding: Finding }
  | { kind: "hypothesis"; id: string; hypothesis: Hypothesis; finding: Finding | undefined }
  | { kind: "experiment"; id: string; experiment: Experiment }
  | { kind: "source"; id: string; source: SourceRecord };

/** A run's record, looked up by id. */
export interface RecordIndex {
  run: RunRecord;
  /** What an id names; a source may be given by a prefix of 8 digits or more that no other source shares. */
  resolve(id: string): Item | undefined;
  experimentsOf(hypothesis: string): Experiment[];
  /** Findings that relate to an id, whatever the relation. */
  relating(id: string): Finding[];
}

const SOURCE_PREFIX = /^[0-9a-f]{8,64}$/;

export function indexRecord(run: RunRecord): RecordIndex {
  const findings = new Map(run.findings.map((finding) => [finding.id, finding]));
  const hypotheses = new Map(run.hypotheses.map((hypothesis) => [hypothesis.id, hypothesis]));
  const experiments = new Map(run.experiments.map((experiment) => [experiment.id, experiment]));
  const byHypothesis = Map.groupBy(run.experiments, ({ plan }) => plan.hypothesis);
  const relating = Map.groupBy(
    run.findings.flatMap((finding) => finding.related.map(({ to }) => ({ to, finding }))),
    ({ to }) => to,
  );

  const resolve = (id: string): Item | undefined => {
    const [finding, hypothesis, experiment] = [findings.get(id), hypotheses.get(id), experiments.get(id)];
    if (hypothesis !== undefined) return { kind: "hypothesis", id, hypothesis, finding };
    if (finding !== undefined) return { kind: "finding", id, finding };
    if (experiment !== undefined) return { kind: "experiment", id, experiment };
    const source = findSource(run, id);
    return source === undefined ? undefined : { kind: "source", id: source.id, source };
  };
  const experimentsOf = (id: string): Experiment[] => {
    const named = (hypotheses.get(id)?.experiments ?? []).flatMap((name) => experiments.get(name) ?? []);
    return Array.from(new Set([...named, ...(byHypothesis.get(id) ?? [])]));
  };
  return { run, resolve, experimentsOf, relating: (id) => Array.from(new Set((relating.get(id) ?? []).map(({ finding }) => finding))) };
}

function findSource(run: RunRecord, id: string): SourceRecord | undefined {
  if (!SOURCE_PREFIX.test(id)) return undefined;
  const matches = Object.entries(run.sources).filter(([key]) => key.startsWith(id));
  return matches.length === 1 ? matches[0]?.[1] : undefined;
}
