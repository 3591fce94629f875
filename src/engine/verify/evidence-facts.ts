import type { BranchMove, EventType, Fact } from "../../domain/events.ts";
import { courseName } from "../../domain/ids.ts";

type FactOf<T extends EventType> = Extract<Fact, { type: T }>;

const KEPT = [
  "run_started",
  "agent_spawned",
  "source_stored",
  "finding_published",
  "conclusion_kept",
  "plan_registered",
  "experiment_started",
  "experiment_finished",
  "review_recorded",
  "hypothesis_moved",
  "run_resumed",
  "report_written",
] as const satisfies EventType[];
type Kept = (typeof KEPT)[number];

/** The facts of all branches that something on disk has to agree with, in the order they were recorded. */
export class EvidenceFacts {
  readonly #facts = new Map<Kept, Fact[]>();
  readonly drafts: FactOf<"tool_started">[] = [];
  count = 0;
  readonly #moves = new Map<string, number>();
  readonly #courses = new Map<number, string>();

  /** A branch was created or its head was moved. */
  addMove({ branch }: BranchMove): void {
    this.#moves.set(branch, (this.#moves.get(branch) ?? 0) + 1);
  }

  /** The course that a fact was recorded on (`courseName`), for facts that spawn an agent. */
  courseOf({ seq, branch }: FactOf<"agent_spawned">): string {
    return this.#courses.get(seq) ?? branch;
  }

  add(fact: Fact): void {
    if (fact.type === "agent_spawned") this.#courses.set(fact.seq, courseName(fact.branch, this.#moves.get(fact.branch) ?? 0));
    this.count += 1;
    if (fact.type === "tool_started" && fact.data.tool === "write_report") this.drafts.push(fact);
    const type = KEPT.find((kept) => kept === fact.type);
    if (type === undefined) return;
    const known = this.#facts.get(type);
    if (known === undefined) this.#facts.set(type, [fact]);
    else known.push(fact);
  }

  of<T extends Kept>(type: T): FactOf<T>[] {
    return (this.#facts.get(type) ?? []) as FactOf<T>[];
  }
}
