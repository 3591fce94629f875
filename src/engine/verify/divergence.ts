/** What a divergence is about; the prefix of `where` says the same for people. */
export type DivergenceKind =
  | "journal_damaged"
  | "meta_changed"
  | "spec_changed"
  | "source_missing"
  | "source_changed"
  | "text_changed"
  | "quote_moved"
  | "note_missing"
  | "note_edited"
  | "plan_changed"
  | "plan_late"
  | "code_changed"
  | "result_changed"
  | "artifact_changed"
  | "outcome_differs"
  | "review_changed"
  | "review_not_independent"
  | "verdict_unfounded"
  | "claim_unsupported"
  | "report_changed"
  | "report_untraced"
  | "reference_unknown"
  | "reference_differs"
  | "reference_retracted";

/** One place where what is on disk, or follows from it, is not what the journal says. */
export interface Divergence {
  kind: DivergenceKind;
  /** The file, id or line it is about. */
  where: string;
  what: string;
  /** Findings and report claims that rest on it, where that is known. */
  claims?: string[];
}

/** What a verification came to. */
export interface Verification {
  divergences: Divergence[];
  /** What could not be checked, and why; none of it is a divergence. */
  notes: string[];
  /** How much was checked. */
  checked: {
    facts: number;
    specs: number;
    sources: number;
    quotes: number;
    notes: number;
    plans: number;
    executions: number;
    reviews: number;
    claims: number;
  };
}
