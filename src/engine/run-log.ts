import type { EventData, EventType, Fact, RunEvent } from "../domain/events.ts";
import type { Decision } from "./decide/decision.ts";
import type { Journal } from "./journal/journal.ts";
import { evolve } from "./state/evolve.ts";
import { evolveLedger, type Ledger } from "./state/ledger.ts";
import type { RunState } from "./state/run-state.ts";

type Listener = (fact: Fact) => void;

/**
 * The one place where facts are made: appends to the journal, folds into the state at once, and tells listeners when
 * the facts are durable. Deciding and recording happen in one step, so that two agents never pass the same limit.
 */
export class RunLog {
  readonly state: RunState;
  readonly ledger: Ledger;
  private readonly journal: Journal;
  readonly branch: string;
  private readonly listeners = new Set<Listener>();

  constructor(journal: Journal, branch: string, state: RunState, ledger: Ledger) {
    this.journal = journal;
    this.branch = branch;
    this.state = state;
    this.ledger = ledger;
  }

  /**
   * Records events in order. Resolves when they, and all before them, are durable.
   *
   * @throws HypoError `storage_failed` where the journal cannot be written any more.
   */
  async record(...events: RunEvent[]): Promise<Fact[]> {
    if (events.length === 0) return [];
    const { facts, durable } = this.journal.append(this.branch, this.state.head, events);
    for (const fact of facts) {
      evolve(this.state, fact);
      evolveLedger(this.ledger, fact);
    }
    await durable;
    for (const fact of facts) for (const listener of this.listeners) listener(fact);
    return facts;
  }

  /** Decides on the present state and records what the decision comes to, with nothing in between. */
  async decide(decision: Decision): Promise<{ refused: string | undefined }> {
    if (decision.refused !== undefined) return { refused: decision.refused };
    await this.record(...decision.events);
    return { refused: undefined };
  }

  /** The facts of this branch so far, oldest first, as they lie in the journal. */
  ancestry(): AsyncIterable<Fact> {
    return this.journal.ancestry(this.branch);
  }

  /** Calls back with every fact that has become durable from now on. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** An event with its data checked by the compiler. */
export function event<T extends EventType>(type: T, data: EventData<T>): RunEvent {
  return { type, data } as RunEvent;
}
