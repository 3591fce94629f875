import type { ReportDraft, ReportSection } from "../domain/report-draft.ts";

/** A statement of a draft with the ids it rests on. */
export interface Assertion {
  /** Where its supports stand in the draft. */
  where: string;
  supports: string[];
  /** False for an answer that says it is not known. */
  isFact: boolean;
}

/** The answer and every claim of a draft. */
export function listAssertions(draft: ReportDraft): Assertion[] {
  const answer = { where: "answer_supports", supports: draft.answer_supports, isFact: draft.confidence !== "none" };
  return [answer, ...listClaims(draft.sections)];
}

/** The claims of sections, each at its place. */
export function listClaims(sections: ReportSection[]): Assertion[] {
  return sections.flatMap(({ claims }, section) =>
    claims.map(({ supports }, claim) => ({ where: `sections[${section}].claims[${claim}].supports`, supports, isFact: true })),
  );
}

/** Every id that a draft rests on, once, in order. */
export function supportsOf(draft: ReportDraft): string[] {
  return Array.from(new Set(listAssertions(draft).flatMap(({ supports }) => supports)));
}

/** All words of a draft, in which an id may be named without supporting anything. */
export function textOf(draft: ReportDraft): string {
  const sections = draft.sections.flatMap(({ title, interpretation, claims }) => [
    title,
    interpretation ?? "",
    ...claims.map(({ text }) => text),
  ]);
  return [draft.answer, draft.would_change, ...sections, ...draft.limitations].join("\n");
}
