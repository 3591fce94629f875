import { z } from "zod";

export const FindingType = z.enum(["fact", "inference", "hypothesis", "counterargument", "experiment_result", "open_question"]);
export type FindingType = z.infer<typeof FindingType>;

export const FindingStatus = z.enum([
  "observed",
  "corroborated",
  "contested",
  "inferred",
  "hypothetical",
  "tested",
  "rejected",
  "outdated",
]);
export type FindingStatus = z.infer<typeof FindingStatus>;

export const RelationKind = z.enum(["supports", "contradicts", "refines", "replicates", "supersedes"]);
export type RelationKind = z.infer<typeof RelationKind>;

/** A quote whose place in the stored text was found by code. `start` and `end` count code points. */
export const Evidence = z.object({
  source: z.string(),
  quote: z.string(),
  text_sha256: z.string(),
  extractor: z.string(),
  start: z.int(),
  end: z.int(),
});
export type Evidence = z.infer<typeof Evidence>;

export const Relation = z.object({ kind: RelationKind, to: z.string() });
export type Relation = z.infer<typeof Relation>;

/** A published finding: a note in memory and a fact in the journal hold the same text. */
export const Finding = z.object({
  id: z.string(),
  type: FindingType,
  status: FindingStatus,
  title: z.string(),
  statement: z.string(),
  evidence: z.array(Evidence),
  counterevidence: z.array(Evidence),
  /** Experiments that an experiment_result rests on. */
  experiments: z.array(z.string()),
  limitations: z.array(z.string()),
  related: z.array(Relation),
  negative_result: z.boolean(),
  run: z.string(),
  agent: z.string(),
  created: z.string(),
});
export type Finding = z.infer<typeof Finding>;

export const HypothesisState = z.enum([
  "proposed",
  "testable",
  "testing",
  "supported",
  "partially_supported",
  "inconclusive",
  "contradicted",
  "invalid_experiment",
  "requires_external_validation",
]);
export type HypothesisState = z.infer<typeof HypothesisState>;

/** The states that only a review of an executed, pre-registered test can give. */
export const Verdict = z.enum([
  "supported",
  "partially_supported",
  "inconclusive",
  "contradicted",
  "invalid_experiment",
  "requires_external_validation",
]);
export type Verdict = z.infer<typeof Verdict>;
