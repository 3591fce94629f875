import type { Divergence, DivergenceKind, Verification } from "./divergence.ts";

type Counts = Omit<Verification["checked"], "facts">;

/** What the checks of a verification have come to so far. */
export class Outcome {
  readonly #divergences: Divergence[] = [];
  readonly #notes: string[] = [];
  readonly checked: Counts = { specs: 0, sources: 0, quotes: 0, notes: 0, plans: 0, executions: 0, reviews: 0, claims: 0 };

  add(kind: DivergenceKind, where: string, what: string, claims?: string[]): void {
    this.#divergences.push({ kind, where, what, ...(claims === undefined ? {} : { claims }) });
  }

  /** Something that could not be checked. */
  note(line: string): void {
    this.#notes.push(line);
  }

  result(): Pick<Verification, "divergences" | "notes"> {
    return { divergences: this.#divergences, notes: this.#notes };
  }
}
