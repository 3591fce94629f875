import type { EventType, Fact } from "../../domain/events.ts";

type FactOf<T extends EventType> = Extract<Fact, { type: T }>;

const KEPT = [
  "run_started",
  "agent_spawned",
  "source_stored",
  "finding_published",
  "plan_registered",
  "experiment_started",
  "experiment_finished",
  "review_recorded",
  "hypothesis_moved",
  "report_written",
] as const satisfies EventType[];
type Kept = (typeof KEPT)[number];

/** The facts of all branches that something on disk has to agree with, in the order they were recorded. */
export class EvidenceFacts {
  readonly #facts = new Map<Kept, Fact[]>();
  readonly drafts: FactOf<"tool_started">[] = [];
  count = 0;

  add(fact: Fact): void {
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
